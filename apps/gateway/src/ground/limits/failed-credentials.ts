import { clientNetwork } from '@bearing/access/client-network'
import type { Limit, RateLimits } from '@bearing/service/store/rate-limits'
import { Cache } from '@bearing/client-nats/cache'
import { LimitReached } from './limit-reached.js'

const WINDOW_S = 600
/** Wrong credentials by network, at about 200 bytes each. */
const MAX_WRONG = 100_000
/** Credentials that were valid within the last day, at about 150 bytes each. */
const MAX_RIGHT = 100_000
const RIGHT_TTL_MS = 24 * 3600 * 1_000

/**
 * Limits how many different wrong credentials a network may send before identity is asked (docs/decisions/0016-limit-rates-without-locking-out-other-callers.md).
 *
 * Many clients share an address, and a broken one repeats its wrong credential for ever. So the same credential counts
 * once, and one that was valid within the last day is always let through. The load of repetitions is bounded elsewhere: the
 * credential cache keeps a refusal for a second, and a repeated wrong upload address counts as an anonymous request.
 */
export class FailedCredentials {
  private readonly limit: Limit | undefined
  private readonly wrong = new Cache<true>(MAX_WRONG, { ttl: WINDOW_S * 1_000 })
  private readonly right = new Cache<true>(MAX_RIGHT, { ttl: RIGHT_TTL_MS })

  /** @param perNetwork different wrong credentials in ten minutes; 0 for no limit */
  constructor(limits: RateLimits, perNetwork: number) {
    if (perNetwork > 0)
      this.limit = limits.limit({
        name: 'failed-credentials',
        points: perNetwork,
        windowS: WINDOW_S,
        whenStoreIsDown: 'open',
      })
  }

  /**
   * Refuses a network that has failed too often.
   *
   * @param key identifies the credential without showing it
   * @throws LimitReached
   */
  async refuse(ip: string, key: string): Promise<void> {
    if (!this.limit || this.right.has(key)) return
    const count = await this.limit.look(clientNetwork(ip))
    if (count && count.used >= this.limit.points)
      throw new LimitReached(
        this.limit,
        count,
        'Too many different wrong credentials came from this address. Credentials that are in use from here still work.',
      )
  }

  /** Records whether identity accepted a credential. */
  async note(ip: string, key: string, isRight: boolean): Promise<void> {
    if (isRight) {
      this.right.set(key, true)
      return
    }
    this.right.delete(key)
    if (this.isKnownWrong(ip, key)) return
    const network = clientNetwork(ip)
    this.wrong.set(`${network} ${key}`, true)
    await this.limit?.count(network)
  }

  /** Returns whether the network sent the same credential within the last ten minutes, and it was wrong. */
  isKnownWrong(ip: string, key: string): boolean {
    return this.wrong.has(`${clientNetwork(ip)} ${key}`)
  }
}
