import { ConcurrencyLimit, type Share } from '@bearing/nats/concurrency-limit'
import { Injectable } from '@nestjs/common'

/** Providers and name servers that are asked at the same time, in all, and of one organization or one person. */
const MOST = 32
const MOST_OF_ONE = 4

/**
 * Bounds how many calls of admins wait for what they have named: an identity provider, or the DNS of a domain. People who sign
 * in have a room of their own, `Redeeming`.
 */
@Injectable()
export class AskingOutside extends ConcurrencyLimit {
  constructor() {
    super({
      limit: MOST,
      shareCode: 'rate_limited',
      tooMany: 'Too many providers and domains are being looked at',
    })
  }
}

/** One person may have any number of organizations, so that of the organization is not enough. */
export function sharesOf(organizationId: string, userId: string): readonly Share[] {
  return [organizationId, userId].map((key) => ({ key, limit: MOST_OF_ONE }))
}
