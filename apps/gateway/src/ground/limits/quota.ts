import type { Limit, RateLimits } from '@bearing/service/rate-limits'
import { LimitReached, limitHeaders, type LimitHeaders } from './limit-reached.js'

const WINDOW_S = 60

/** Requests in a minute by some key; where the shared store is down each process counts by itself. */
export class Quota {
  private readonly limit: Limit | undefined

  /**
   * @param perMinute 0 for no limit
   * @param told what the requests have in common, for the message: `came from …`
   */
  constructor(
    limits: RateLimits,
    name: string,
    perMinute: number,
    private readonly told: string,
  ) {
    if (perMinute > 0)
      this.limit = limits.limit({ name, points: perMinute, windowS: WINDOW_S, whenStoreIsDown: 'open' })
  }

  /**
   * Counts a request.
   *
   * @returns what to announce, if there is a limit
   * @throws LimitReached
   */
  async take(key: string): Promise<LimitHeaders | undefined> {
    if (!this.limit) return undefined
    const count = await this.limit.count(key)
    if (count.used <= this.limit.points) return limitHeaders(this.limit, count)
    const requests = `More than ${String(this.limit.points)} requests a minute`
    throw new LimitReached(this.limit, count, `${requests} ${this.told}.`)
  }
}
