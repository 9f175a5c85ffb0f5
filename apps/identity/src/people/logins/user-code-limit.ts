import { OperationError } from '@bearing/contracts/errors'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'

/** Wrong user codes of one user within {@link WINDOW_S}. With 34 bits of a code that is no chance to guess one. */
const MAX_WRONG = 10
const WINDOW_S = 600

/** Limits how many user codes somebody can guess. */
@Injectable()
export class UserCodeLimit {
  private readonly limit: Limit

  constructor(limits: RateLimits) {
    this.limit = limits.limit({
      name: 'login-codes',
      points: MAX_WRONG,
      windowS: WINDOW_S,
      whenStoreIsDown: 'closed',
    })
  }

  /**
   * Looks something up by a user code. An attempt is counted before it is made, so that concurrent ones do not all count as the
   * first, and a right code does not count.
   *
   * @param find returns undefined if the code is wrong
   * @throws OperationError `rate_limited`; `service_unavailable` if the store of counts does not answer
   */
  async guard<Found>(userId: string, find: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const { used, endsInMs } = await this.limit.count(userId)
    if (used > MAX_WRONG) {
      this.limit.refused()
      throw new OperationError('rate_limited', 'Too many wrong codes were entered. Wait, then try again.', {
        retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)),
      })
    }
    const found = await find()
    if (found !== undefined) await this.limit.uncount(userId)
    return found
  }
}
