import { createHash } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import type { Limit, RateLimits } from '@bearing/service/rate-limits'
import { backOffSeconds } from '../../ground/rules/backoff.js'
import type { CountedAttempt } from './passwords.js'

/** When wrong passwords are slowed down. */
export interface BackOffSettings {
  /** Wrong passwords for an account from one address that cost no waiting. */
  readonly free: number
  /** The same from all addresses that the account was never used from, together. */
  readonly freeFromStrangers: number
  /** The longest that an address waits, in seconds. */
  readonly maxS: number
}

/** The longest that all strangers together wait, in seconds: the owner may be among them. */
const MAX_STRANGERS_S = 60
/** Failures are forgotten a day after the first one. */
const FAILURES_WINDOW_S = 24 * 3600
/** How long an address is known that the right password came from: 14 days. */
const FAMILIAR_WINDOW_S = 14 * 24 * 3600

/**
 * Slows down who guesses passwords (docs/decisions/0016-limit-rates-without-locking-out-other-callers.md): by account and address, and by account for all
 * addresses that its password never came from. Accounts that do not exist are treated alike.
 *
 * Attempts are counted before they are judged, so that many at once do not all count as the first.
 */
export class PasswordBackOff {
  private readonly failures: Limit
  private readonly waits: Limit
  private readonly strangersFailures: Limit
  private readonly strangersWaits: Limit
  private readonly familiar: Limit

  constructor(
    limits: RateLimits,
    private readonly settings: BackOffSettings,
  ) {
    const limit = (name: string, points: number, windowS: number) =>
      limits.limit({ name, points, windowS, whenStoreIsDown: 'closed' })
    this.failures = limit('password-failures', settings.free, FAILURES_WINDOW_S)
    this.waits = limit('password', 1, settings.maxS)
    this.strangersFailures = limit(
      'password-strangers-failures',
      settings.freeFromStrangers,
      FAILURES_WINDOW_S,
    )
    this.strangersWaits = limit('password-strangers', 1, MAX_STRANGERS_S)
    this.familiar = limit('password-familiar', 1, FAMILIAR_WINDOW_S)
  }

  /**
   * Begins an attempt.
   *
   * @param email lower-cased
   * @param address of the client; all of whom it is not known count as one
   * @throws OperationError `rate_limited` where it comes too soon, `service_unavailable` where that cannot be told
   */
  async begin(email: string, address: string): Promise<PasswordAttempt> {
    const account = keyOf(email)
    const pair = keyOf(email, clientNetwork(address))
    const [wait, strangersWait, familiar] = await Promise.all([
      this.waits.look(pair),
      this.strangersWaits.look(account),
      this.familiar.look(pair),
    ])
    if (wait) throw tooSoon(this.waits, wait.endsInMs)
    if (!familiar && strangersWait) throw tooSoon(this.strangersWaits, strangersWait.endsInMs)
    return {
      callerClass: familiar ? 'known' : 'unknown',
      count: () => this.count(pair, familiar ? undefined : account),
      succeeded: () => this.succeeded(pair, familiar ? undefined : account),
    }
  }

  private async count(pair: string, strangers: string | undefined): Promise<void> {
    await this.take(this.failures, this.waits, pair, this.settings.free, this.settings.maxS)
    if (strangers === undefined) return
    const { freeFromStrangers, maxS } = this.settings
    try {
      await this.take(
        this.strangersFailures,
        this.strangersWaits,
        strangers,
        freeFromStrangers,
        Math.min(maxS, MAX_STRANGERS_S),
      )
    } catch (error) {
      await this.failures.uncount(pair) // it was not judged
      throw error
    }
  }

  /** Counts an attempt. Of those who have failed too often one may go in each wait. */
  private async take(failures: Limit, waits: Limit, key: string, free: number, maxS: number): Promise<void> {
    const { used } = await failures.count(key)
    const waitS = backOffSeconds(used, free, maxS)
    if (waitS === 0) return
    const wait = await waits.count(key, waitS)
    if (wait.used === 1) return
    await failures.uncount(key)
    throw tooSoon(waits, wait.endsInMs)
  }

  /** Failures of strangers stay counted: the owner's coming and going must not help those who guess. */
  private async succeeded(pair: string, strangers: string | undefined): Promise<void> {
    await Promise.all([
      this.failures.reset(pair),
      this.waits.reset(pair),
      ...(strangers === undefined
        ? []
        : [this.strangersFailures.uncount(strangers), this.familiar.count(pair)]),
    ])
  }
}

/** One attempt to sign in with a password. Counting it throws as {@link PasswordBackOff.begin}. */
export interface PasswordAttempt extends CountedAttempt {
  /** The password was right. */
  readonly succeeded: () => Promise<void>
}

/** E-mail addresses are nobody's business in a store of counters. */
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function tooSoon(limit: Limit, endsInMs: number): OperationError {
  limit.refused()
  return new OperationError(
    'rate_limited',
    'Too many passwords were tried. Wait, then try again; API keys and tokens are not affected.',
    { retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)) },
  )
}
