import type { Limit, RateLimits } from '@bearing/service/rate-limits'

/** Mails of one kind about an account in a day. */
const MAX_A_DAY = 5
const DAY_S = 86_400

/** Limits how many mails about what happened to an account are sent to its user. */
export class NoticeLimit {
  private readonly limit: Limit

  constructor(limits: RateLimits) {
    this.limit = limits.limit({
      name: 'account-notices',
      points: MAX_A_DAY,
      windowS: DAY_S,
      whenStoreIsDown: 'open',
    })
  }

  /** Counts a mail, and returns whether it may be sent. */
  async take(kind: string, userId: string): Promise<boolean> {
    const { used } = await this.limit.count(`${kind}:${userId}`)
    if (used > MAX_A_DAY) this.limit.refused()
    return used <= MAX_A_DAY
  }
}
