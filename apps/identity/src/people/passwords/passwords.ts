import { clientNetworkPath } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import { mapOpaque } from '@bearing/contracts/identity/credentials/opaque-string'
import { currentCall } from '@bearing/nats/call-context'
import { parseOptions } from '@node-rs/argon2'
import type { Clock } from '@bearing/service/ground/clock'
import type { Randomness } from '@bearing/service/ground/randomness'
import { FairQueue, type QueueLimits, type QueuePath } from './fair-queue.js'
import { HashWorkers, type HashOptions } from './hash-workers.js'

export interface HashCost {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

/** Maximum rest after a hash, in milliseconds: a turn may also take long because other threads use the processor. */
const MAX_REST_MS = 1_000

export interface HashLimits extends QueueLimits {
  /** Percentage of its time that a thread hashes. It rests after each hash, so that other work gets the processor. */
  readonly sharePercent: number
}

/**
 * `known`: the account was signed in to from this client network before, or the caller is authenticated otherwise, as with
 * a mailed link. `failed`: not known, and a wrong password was sent from the network a short time ago. `unknown`: anyone else. Each
 * class has the same capacity while all wait.
 */
export type CallerClass = 'known' | 'unknown' | 'failed'

export interface CountedAttempt {
  readonly callerClass: CallerClass
  /** Counts the attempt, just before the password is checked. */
  readonly count: () => Promise<void>
  /** To be called if the password was wrong. */
  readonly failed: () => Promise<void>
}

export interface PasswordCheck {
  readonly right: boolean
  /** The hash with the configured cost, if the stored one has another cost. */
  readonly rehashed?: string
}

/**
 * Hashes and verifies passwords with argon2id (RFC 9106). Each hash takes about 20 MiB and tens of milliseconds of a
 * processor, so only a few run at the same time. Capacity is shared fairly between the classes of callers, and between
 * the networks of each ({@link FairQueue}). A caller that cannot be served soon is refused as `overloaded`.
 */
export class Passwords {
  private readonly queue: FairQueue
  /** Hashes of random passwords, by cost. */
  private dummies: ReadonlyMap<string, string> = new Map()

  private constructor(
    private readonly cost: HashCost,
    private readonly limits: HashLimits,
    private readonly workers: HashWorkers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    this.queue = new FairQueue(limits)
  }

  /** Creates the hash that is verified for accounts that do not exist. */
  static async prepare(
    cost: HashCost,
    limits: HashLimits,
    clock: Clock,
    randomness: Randomness,
  ): Promise<Passwords> {
    const passwords = new Passwords(cost, limits, new HashWorkers(), clock, randomness)
    await passwords.expect([])
    return passwords
  }

  /**
   * Sets the costs of stored hashes: every check then computes a hash of each cost.
   *
   * @param stored one stored hash of each cost
   */
  async expect(stored: readonly string[]): Promise<void> {
    const costs = new Map([[costOf(options(this.cost)), options(this.cost)]])
    for (const hash of stored) {
      const cost = parseOptions(hash)
      costs.set(costOf(cost), cost)
    }
    const dummies = new Map<string, string>()
    for (const [key, cost] of costs) dummies.set(key, this.dummies.get(key) ?? (await this.dummyOf(cost)))
    this.dummies = dummies
  }

  private dummyOf({ memoryCost, timeCost, parallelism }: HashOptions): Promise<string> {
    const password = Buffer.from(this.randomness.bytes(32)).toString('base64')
    return this.workers.hash(password, { memoryCost, timeCost, parallelism })
  }

  /**
   * Hashes a password for an authenticated caller.
   *
   * @returns PHC text with its cost and salt
   * @throws OperationError `overloaded`
   */
  hash(password: string): Promise<string> {
    return this.inTurn('known', () => this.workers.hash(normalize(password), options(this.cost)))
  }

  /**
   * Verifies a password. It always computes a hash of every cost in the same order, so that the time reveals neither which
   * accounts exist nor the cost of their hashes.
   *
   * @param stored undefined if the account does not exist, null if it has no password
   * @param attempt counted when it is the caller's turn
   * @throws OperationError `overloaded`, and the errors of counting
   */
  check(
    password: string,
    stored: string | null | undefined,
    attempt?: CountedAttempt,
  ): Promise<PasswordCheck> {
    return this.inTurn(attempt?.callerClass ?? 'unknown', async () => {
      await attempt?.count()
      const matches = await this.verify(normalize(password), stored ?? undefined)
      if (!matches || !stored) {
        await attempt?.failed()
        return { right: false }
      }
      if (this.isCurrent(stored)) return { right: true }
      return { right: true, rehashed: await this.workers.hash(normalize(password), options(this.cost)) }
    })
  }

  /**
   * Refuses a caller that {@link check} would refuse, before reading anything for it.
   *
   * @throws OperationError `overloaded`
   */
  refuseIfFull(callerClass: CallerClass): void {
    if (!this.queue.accepts(pathOf(callerClass))) throw overloaded()
  }

  private async verify(password: string, stored: string | undefined): Promise<boolean> {
    const own = stored === undefined ? undefined : costOf(parseOptions(stored))
    const { dummies } = this
    let matches = false
    for (const [cost, dummy] of dummies)
      if (cost === own && stored !== undefined) matches = await this.workers.verify(stored, password)
      else await this.workers.verify(dummy, password)
    // A cost that `expect` does not know yet.
    if (own !== undefined && stored !== undefined && !dummies.has(own))
      matches = await this.workers.verify(stored, password)
    return matches
  }

  private isCurrent(stored: string): boolean {
    return stored.startsWith('$argon2id$') && costOf(parseOptions(stored)) === costOf(options(this.cost))
  }

  private async inTurn<Result>(callerClass: CallerClass, work: () => Promise<Result>): Promise<Result> {
    const call = currentCall()
    if (!(await this.queue.enter(pathOf(callerClass)))) throw overloaded()
    const startedMs = this.clock.nowMs()
    try {
      if (call && call.deadlineMs <= this.clock.nowMs())
        throw new OperationError('deadline_exceeded', 'The answer did not come in time. Try again shortly.', {
          retry_after: 1,
        })
      return await work()
    } finally {
      this.rest(this.clock.nowMs() - startedMs)
    }
  }

  /** Ends a turn. The caller has its response already; the thread rests before the next turn. */
  private rest(workedMs: number): void {
    const restMs = Math.min(MAX_REST_MS, workedMs * (100 / this.limits.sharePercent - 1))
    if (restMs < 1) this.queue.leave()
    else
      setTimeout(() => {
        this.queue.leave()
      }, restMs)
  }
}

/** The groups that the current caller waits in. */
function pathOf(callerClass: CallerClass): QueuePath {
  return [callerClass, ...clientNetworkPath(currentCall()?.clientAddress ?? '')]
}

function overloaded(): OperationError {
  return new OperationError('overloaded', 'Too many passwords are being checked. Try again shortly.', {
    retry_after: 1,
  })
}

/**
 * Keyboards send different Unicode spellings of the same text. Equal passwords of RFC 8265 (OpaqueString) stay equal; NFKC in place
 * of NFC, because the stored hashes are made with it.
 */
function normalize(password: string): string {
  return mapOpaque(password).normalize('NFKC')
}

function costOf({ memoryCost, timeCost, parallelism }: HashOptions): string {
  return [memoryCost, timeCost, parallelism].join(' ')
}

function options({ memoryKib, passes, lanes }: HashCost): HashOptions {
  return { memoryCost: memoryKib, timeCost: passes, parallelism: lanes }
}
