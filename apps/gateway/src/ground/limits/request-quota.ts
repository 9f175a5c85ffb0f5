import { clientNetwork } from '@bearing/access/client-network'
import type { Principal } from '@bearing/contracts/principal'
import type { RateLimits } from '@bearing/service/rate-limits'
import type { LimitHeaders } from './limit-reached.js'
import { Quota } from './quota.js'

/** How many requests a credential may make (docs/decisions/0016-limits.md). */
export class RequestQuota {
  private readonly quota: Quota

  /** @param perMinute requests in a minute; 0 for no limit */
  constructor(limits: RateLimits, perMinute: number) {
    this.quota = new Quota(limits, 'credential', perMinute, 'were made with this credential')
  }

  /**
   * Counts a request.
   *
   * @returns what to announce, if there is a limit
   * @throws LimitReached
   */
  async take(principal: Principal, address: string): Promise<LimitHeaders | undefined> {
    return principal.kind === 'service' ? undefined : this.quota.take(keyOf(principal, address))
  }
}

/** A project key is shared by a whole fleet: one device that asks too often must not silence the others. */
function keyOf(principal: Exclude<Principal, { kind: 'service' }>, address: string): string {
  return principal.kind === 'project_key'
    ? `${principal.credential_id}|${clientNetwork(address)}`
    : principal.credential_id
}
