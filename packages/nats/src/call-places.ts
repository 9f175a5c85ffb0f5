import { OperationError } from '@bearing/contracts/errors'
import type { Access } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'

/** Callers that are remembered though they have nothing under way, so that the table does not change with every call. */
const REMEMBERED = 1_024

/**
 * Counts the calls that a process has under way, and says which are too many. What other services need in order to answer
 * anybody, `internal` operations, has half as many places again: whatever fills the others, who calls can still be told. And one
 * caller has no more than half of the places: what is left is for everybody else.
 */
export class CallPlaces {
  private underWay = 0
  private readonly ofCallers = new Map<string, number>()
  private idle: (() => void) | undefined

  /** @param most calls under way, those of `internal` operations apart */
  constructor(private readonly most: number) {}

  /** Counts a call, or what stands for some. Whatever enters leaves once. */
  enter(): void {
    this.underWay++
  }

  leave(): void {
    this.underWay--
    if (this.underWay === 0) this.idle?.()
  }

  /** Resolves as soon as nothing is under way. */
  async empty(): Promise<void> {
    if (this.underWay > 0)
      await new Promise<void>((resolve) => {
        this.idle = resolve
      })
  }

  /**
   * Refuses a call that has entered where there are too many.
   *
   * @throws OperationError `overloaded`
   */
  refuse(permission: Access): void {
    const most = permission === 'internal' ? this.most * 1.5 : this.most
    if (this.underWay > most) throw overloaded('The service has too much to do. Try again shortly.')
  }

  /**
   * Does what one caller wants, unless that caller has too much under way. Services are not counted: they speak for everybody.
   *
   * @throws OperationError `overloaded`, and what `work` throws
   */
  async within<Result>(principal: Principal | undefined, work: () => Promise<Result>): Promise<Result> {
    if (!principal || principal.kind === 'service') return work()
    const caller = principal.kind === 'user' ? principal.user_id : principal.organization_id
    if (this.of(caller) >= this.most / 2)
      throw overloaded('Too many of your requests are being answered at this moment. Try again shortly.')
    this.ofCallers.set(caller, this.of(caller) + 1)
    try {
      return await work()
    } finally {
      this.ofCallers.set(caller, this.of(caller) - 1)
      if (this.ofCallers.size > REMEMBERED) this.forget()
    }
  }

  private of(caller: string): number {
    return this.ofCallers.get(caller) ?? 0
  }

  private forget(): void {
    for (const [caller, count] of this.ofCallers) if (count === 0) this.ofCallers.delete(caller)
  }
}

function overloaded(message: string): OperationError {
  return new OperationError('overloaded', message, { retry_after: 1 })
}
