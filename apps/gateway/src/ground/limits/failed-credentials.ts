import { clientNetwork } from '@bearing/access/client-network'
import { atMost } from '@bearing/client-nats/at-most'
import type { Limit, RateLimits } from '@bearing/service/rate-limits'
import { LRUCache } from 'lru-cache'
import { LimitReached } from './limit-reached.js'

const WINDOW_S = 600
/** Wrong credentials that are known by address, at about 200 bytes each; the longest unused go first. */
const MAX_WRONG = 100_000
/** Credentials that were right lately, at about 150 bytes each. */
const MAX_RIGHT = 100_000
const RIGHT_TTL_MS = 24 * 3600 * 1_000

/**
 * Refuses addresses that have sent many different wrong credentials, before identity is asked
 * (docs/decisions/0016-limits.md).
 *
 * Many clients share an address, and a broken one repeats its wrong credential for ever. So the same one counts once, or one
 * broken device would block its whole network, and a credential that was right lately is always let through. The load of
 * repetitions has bounds of its own: the credential cache keeps a refusal for a second, and a repeated wrong upload address
 * counts as an anonymous request.
 */
export class FailedCredentials {
  private readonly limit: Limit | undefined
  private readonly wrong = new LRUCache<string, true>({ ...atMost(MAX_WRONG), ttl: WINDOW_S * 1_000 })
  private readonly right = new LRUCache<string, true>({ ...atMost(MAX_RIGHT), ttl: RIGHT_TTL_MS })

  /** @param perAddress different wrong credentials in ten minutes; 0 for no limit */
  constructor(limits: RateLimits, perAddress: number) {
    if (perAddress > 0)
      this.limit = limits.limit({
        name: 'failed-credentials',
        points: perAddress,
        windowS: WINDOW_S,
        whenStoreIsDown: 'open',
      })
  }

  /**
   * Refuses an address that has failed too often.
   *
   * @param key stands for the credential and does not show it
   * @throws LimitReached
   */
  async refuse(address: string, key: string): Promise<void> {
    if (!this.limit || this.right.has(key)) return
    const count = await this.limit.look(clientNetwork(address))
    if (count && count.used >= this.limit.points)
      throw new LimitReached(
        this.limit,
        count,
        'Too many different wrong credentials came from this address. Credentials that are in use from here still work.',
      )
  }

  /** Notes what identity has said about a credential. */
  async note(address: string, key: string, isRight: boolean): Promise<void> {
    if (isRight) {
      this.right.set(key, true)
      return
    }
    this.right.delete(key)
    if (this.isKnownWrong(address, key)) return
    const network = clientNetwork(address)
    this.wrong.set(`${network} ${key}`, true)
    await this.limit?.count(network)
  }

  /** Whether the same credential came from this network in the last ten minutes and was wrong. */
  isKnownWrong(address: string, key: string): boolean {
    return this.wrong.has(`${clientNetwork(address)} ${key}`)
  }
}
