import { OperationError } from '@bearing/contracts/errors'
import { currentCall } from '@bearing/nats/call-context'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { Clock } from '@bearing/service/clock'
import type { Randomness } from '@bearing/service/randomness'

/** What a hash costs. */
export interface HashCost {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

/** How many hashes are made at once, and how many callers may wait for their turn. */
export interface HashLimits {
  readonly concurrency: number
  readonly waiting: number
}

/** What a check of a password has shown. */
export interface PasswordCheck {
  readonly right: boolean
  /** The password under the cost that is configured now, where it was stored under another one. */
  readonly rehashed?: string
}

/**
 * Hashes passwords with argon2id (RFC 9106) and checks them. Each hash takes some 20 MiB and tens of milliseconds of a
 * processor, so only a few are made at once and whoever cannot be served soon is told so.
 */
export class Passwords {
  private busy = 0
  private readonly waiting: (() => void)[] = []

  private constructor(
    private readonly cost: HashCost,
    private readonly limits: HashLimits,
    private readonly clock: Clock,
    private readonly dummy: string,
  ) {}

  /** Prepares the hash that is checked where there is no account. */
  static async prepare(
    cost: HashCost,
    limits: HashLimits,
    clock: Clock,
    randomness: Randomness,
  ): Promise<Passwords> {
    return new Passwords(cost, limits, clock, await hash(randomness.bytes(32), options(cost)))
  }

  /**
   * Hashes a password.
   *
   * @returns a PHC text that holds its own cost and salt
   * @throws OperationError `overloaded`
   */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normalize(password), options(this.cost)))
  }

  /**
   * Checks a password. Where there is nothing to check it against, a hash is computed all the same, so the time does not
   * tell which accounts there are.
   *
   * @param stored undefined where there is no such account, null where it has no password
   * @throws OperationError `overloaded`
   */
  check(password: string, stored: string | null | undefined): Promise<PasswordCheck> {
    return this.inTurn(async () => {
      const matches = await verify(stored ?? this.dummy, normalize(password))
      if (!matches || !stored) return { right: false }
      if (this.isCurrent(stored)) return { right: true }
      return { right: true, rehashed: await hash(normalize(password), options(this.cost)) }
    })
  }

  private isCurrent(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored)
    const { memoryKib, passes, lanes } = this.cost
    return (
      stored.startsWith('$argon2id$') &&
      memoryCost === memoryKib &&
      timeCost === passes &&
      parallelism === lanes
    )
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.turn()
    try {
      const call = currentCall()
      if (call && call.deadlineMs <= this.clock.nowMs())
        throw new OperationError('deadline_exceeded', 'The answer did not come in time. Try again shortly.', {
          retry_after: 1,
        })
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.busy--
    }
  }

  private async turn(): Promise<void> {
    if (this.busy < this.limits.concurrency) {
      this.busy++
      return
    }
    if (this.waiting.length >= this.limits.waiting)
      throw new OperationError('overloaded', 'Too many passwords are being checked. Try again shortly.', {
        retry_after: 1,
      })
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve)
    })
  }
}

/** One text has several spellings in Unicode, and which one is sent depends on the keyboard. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

function options({ memoryKib, passes, lanes }: HashCost) {
  return { memoryCost: memoryKib, timeCost: passes, parallelism: lanes }
}
