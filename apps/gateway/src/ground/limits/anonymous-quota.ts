import { clientNetwork } from '@bearing/access/client-network'
import type { RateLimits } from '@bearing/service/rate-limits'
import type { LimitHeaders } from './limit-reached.js'
import { Quota } from './quota.js'

/**
 * How many requests an address may make on routes that look at no credential: signing in, asking for a link, taking up an
 * invitation. Each makes identity work or write, and nobody is known who could be told to stop.
 */
export class StrangerQuota {
  private readonly quota: Quota

  /** @param perMinute requests in a minute; 0 for no limit */
  constructor(limits: RateLimits, perMinute: number) {
    this.quota = new Quota(limits, 'strangers', perMinute, 'came from this address without a credential')
  }

  /**
   * Counts a request.
   *
   * @returns what to announce, if there is a limit
   * @throws LimitReached
   */
  async take(address: string): Promise<LimitHeaders | undefined> {
    return this.quota.take(clientNetwork(address))
  }
}
