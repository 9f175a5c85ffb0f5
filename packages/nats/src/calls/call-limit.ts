import { OperationError } from '@bearing/contracts/errors'
import type { Access } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { ConcurrencyLimit } from './concurrency-limit.js'

/**
 * Limits the calls that a process handles at the same time. Calls of `internal` operations, which other services need to respond
 * to anybody, have half as much capacity again. A caller has at most half of the capacity.
 */
export class CallLimit {
  private active = 0
  private readonly callers: ConcurrencyLimit
  private idle: (() => void)[] = []

  /** @param limit concurrent calls, those of `internal` operations apart */
  constructor(private readonly limit: number) {
    const tooMany = 'Too many of your requests are being answered'
    this.callers = new ConcurrencyLimit({ limit: Infinity, tooMany, retryAfterS: 1 })
  }

  /** Counts a call, or a batch. Each has to {@link leave} once. */
  enter(): void {
    this.active++
  }

  leave(): void {
    this.active--
    if (this.active > 0) return
    for (const resolve of this.idle) resolve()
    this.idle = []
  }

  /** Resolves as soon as no call is active. */
  async drained(): Promise<void> {
    if (this.active > 0)
      await new Promise<void>((resolve) => {
        this.idle.push(resolve)
      })
  }

  /**
   * Refuses a call that has entered, if there are too many.
   *
   * @throws OperationError `overloaded`
   */
  refuse(permission: Access): void {
    const limit = permission === 'internal' ? this.limit * 1.5 : this.limit
    if (this.active > limit)
      throw new OperationError('overloaded', 'The service has too much to do. Try again shortly.', {
        retry_after: 1,
      })
  }

  /**
   * Runs the work of one caller. Services are not limited: they call for everybody.
   *
   * @throws OperationError `overloaded` if the caller has too many active calls; and what `work` throws
   */
  async within<Result>(principal: Principal | undefined, work: () => Promise<Result>): Promise<Result> {
    if (!principal || principal.kind === 'service') return work()
    const key = principal.kind === 'user' ? principal.user_id : principal.organization_id
    return this.callers.run([{ key, limit: this.limit / 2 }], work)
  }
}
