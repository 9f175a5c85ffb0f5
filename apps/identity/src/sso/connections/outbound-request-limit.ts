import { ConcurrencyLimit, type Share } from '@bearing/nats/concurrency-limit'
import { Injectable } from '@nestjs/common'

/** Outbound requests at the same time, in total, and per organization or user. */
const MAX_TOTAL = 32
const MAX_PER_KEY = 4

/**
 * Limits concurrent outbound requests to identity providers and name servers that admins name. Sign-ins have a limit of
 * their own ({@link import('../sign-on/code-exchange-limit.js').CodeExchangeLimit}).
 */
@Injectable()
export class OutboundRequestLimit extends ConcurrencyLimit {
  constructor() {
    super({
      limit: MAX_TOTAL,
      shareCode: 'rate_limited',
      tooMany: 'Too many outbound requests to providers and name servers',
    })
  }
}

/** Per user too, since one user may have any number of organizations. */
export function sharesOf(organizationId: string, userId: string): readonly Share[] {
  return [organizationId, userId].map((key) => ({ key, limit: MAX_PER_KEY }))
}
