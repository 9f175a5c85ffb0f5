import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'

/** Notices of one kind to one user per day. */
const MAX_PER_DAY = 5
const DAY_S = 86_400

/** Limits how many notices a user receives. */
@Injectable()
export class NoticeLimit {
  private readonly limit: Limit

  constructor(limits: RateLimits) {
    this.limit = limits.limit({
      name: 'account-notices',
      points: MAX_PER_DAY,
      windowS: DAY_S,
      whenStoreIsDown: 'open',
    })
  }

  /** Counts a notice, and returns whether it may be sent. */
  async take(kind: string, userId: string): Promise<boolean> {
    const { used } = await this.limit.count(`${kind}:${userId}`)
    if (used > MAX_PER_DAY) this.limit.refused()
    return used <= MAX_PER_DAY
  }
}
