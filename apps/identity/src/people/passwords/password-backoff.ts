import { createHash } from 'node:crypto'
import { clientNetwork, clientNetworkPath } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import type { Limit, RateLimits } from '@bearing/service/store/rate-limits'
import { backoffSeconds } from '../../ground/rules/backoff.js'
import type { CountedAttempt } from './passwords.js'

/** Conditions of the backoff after wrong passwords. */
export interface BackoffSettings {
  /** Wrong passwords per account and client network before backoff starts. */
  readonly free: number
  /** The same per account, from all networks together that have not signed in to it. */
  readonly freeFromUnknown: number
  /** Maximum wait of a client network, in seconds. */
  readonly maxS: number
}

/** Maximum wait of all unknown networks together, in seconds: the owner may be in one of them. */
const MAX_UNKNOWN_S = 60
const FAILURES_WINDOW_S = 24 * 3600
/** Time for which a network stays known after a sign-in, in seconds: 14 days. */
const KNOWN_WINDOW_S = 14 * 24 * 3600

/**
 * Limits password guesses (docs/decisions/0016-limits.md) per account and client network, and per account for all networks
 * that have not signed in to it. Accounts that do not exist are treated alike. Attempts are counted before they are
 * verified, so that concurrent ones do not all count as the first.
 */
export class PasswordBackoff {
  private readonly failures: Limit
  private readonly waits: Limit
  private readonly unknownFailures: Limit
  private readonly unknownWaits: Limit
  private readonly known: Limit
  private readonly failedNetworks: Limit

  constructor(
    limits: RateLimits,
    private readonly settings: BackoffSettings,
  ) {
    const limit = (name: string, points: number, windowS: number) =>
      limits.limit({ name, points, windowS, whenStoreIsDown: 'closed' })
    this.failures = limit('password-failures', settings.free, FAILURES_WINDOW_S)
    this.waits = limit('password', 1, settings.maxS)
    this.unknownFailures = limit('password-strangers-failures', settings.freeFromUnknown, FAILURES_WINDOW_S)
    this.unknownWaits = limit('password-strangers', 1, MAX_UNKNOWN_S)
    this.known = limit('password-familiar', 1, KNOWN_WINDOW_S)
    this.failedNetworks = limit('password-failed-networks', 1, FAILURES_WINDOW_S)
  }

  /**
   * Begins an attempt.
   *
   * @param email lower-case
   * @param address of the client; clients without a known IP address share one count
   * @throws OperationError `rate_limited` during backoff, `service_unavailable` if the store of counts does not answer
   */
  async begin(email: string, address: string): Promise<PasswordAttempt> {
    const account = keyOf(email)
    const pair = keyOf(email, clientNetwork(address))
    // The widest prefix, because its owner has all client networks in it.
    const [network = ''] = clientNetworkPath(address)
    const [wait, unknownWait, known, hasFailed] = await Promise.all([
      this.waits.look(pair),
      this.unknownWaits.look(account),
      this.known.look(pair),
      this.failedNetworks.look(network),
    ])
    if (wait) throw tooSoon(this.waits, wait.endsInMs)
    if (!known && unknownWait) throw tooSoon(this.unknownWaits, unknownWait.endsInMs)
    return {
      callerClass: known ? 'known' : hasFailed ? 'failed' : 'unknown',
      count: () => this.count(pair, known ? undefined : account),
      failed: async () => {
        await this.failedNetworks.count(network)
      },
      succeeded: () => this.succeeded(pair, known ? undefined : account),
    }
  }

  private async count(pair: string, unknown: string | undefined): Promise<void> {
    const { free, freeFromUnknown, maxS } = this.settings
    await this.take(this.failures, this.waits, pair, free, maxS)
    if (unknown === undefined) return
    const unknownMaxS = Math.min(maxS, MAX_UNKNOWN_S)
    try {
      await this.take(this.unknownFailures, this.unknownWaits, unknown, freeFromUnknown, unknownMaxS)
    } catch (error) {
      await this.failures.uncount(pair) // the password was not verified
      throw error
    }
  }

  /** Counts an attempt. After too many failures, one attempt per wait is allowed. */
  private async take(failures: Limit, waits: Limit, key: string, free: number, maxS: number): Promise<void> {
    const { used } = await failures.count(key)
    const waitS = backoffSeconds(used, free, maxS)
    if (waitS === 0) return
    const wait = await waits.count(key, waitS)
    if (wait.used === 1) return
    await failures.uncount(key)
    throw tooSoon(waits, wait.endsInMs)
  }

  /** Failures from unknown networks stay counted: a sign-in of the owner must not help those who guess. */
  private async succeeded(pair: string, unknown: string | undefined): Promise<void> {
    await Promise.all([
      this.failures.reset(pair),
      this.waits.reset(pair),
      ...(unknown === undefined ? [] : [this.unknownFailures.uncount(unknown), this.known.count(pair)]),
    ])
  }
}

/** One attempt to sign in with a password. Counting it throws as {@link PasswordBackoff.begin}. */
export interface PasswordAttempt extends CountedAttempt {
  /** To be called if the password was right. */
  readonly succeeded: () => Promise<void>
}

/** Hashed, so that the store of counts contains no email addresses. */
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
