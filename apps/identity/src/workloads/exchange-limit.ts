import { OperationError } from '@bearing/contracts/errors'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'

/** Exchanges of an organization per minute. Each leaves a row in the audit log, which is kept. */
const PER_MINUTE = 3_000

/** Limits the exchanges of an organization. They are counted after their token was verified, so that no other caller uses them up. */
@Injectable()
export class ExchangeLimit {
  private readonly limit: Limit

  constructor(limits: RateLimits) {
    this.limit = limits.limit({
      name: 'token-exchanges',
      points: PER_MINUTE,
      windowS: 60,
      whenStoreIsDown: 'open',
    })
  }

  /** @throws OperationError `rate_limited` */
  async count(organizationId: string): Promise<void> {
    const { used, endsInMs } = await this.limit.count(organizationId)
    if (used <= PER_MINUTE) return
    this.limit.refused()
    throw new OperationError('rate_limited', 'The organization exchanges too many tokens.', {
      retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)),
    })
  }
}
