import type { Principal } from '@bearing/contracts/principal'
import type { RateLimits } from '@bearing/service/rate-limits'
import type { LimitHeaders } from './limit-reached.js'
import { Quota } from './quota.js'

/**
 * How many requests an organization may make, however many credentials it has. Only authorized requests count, so nobody
 * outside can use it up.
 */
export class OrganizationQuota {
  private readonly quota: Quota

  /** @param perMinute requests in a minute; 0 for no limit */
  constructor(limits: RateLimits, perMinute: number) {
    this.quota = new Quota(limits, 'organization', perMinute, 'were made for this organization')
  }

  /**
   * Counts an authorized request. Project keys are counted apart from users and tokens: a key is in every device, and
   * whoever has one must not be able to keep an admin from replacing it.
   *
   * @returns what to announce, if there is a limit
   * @throws LimitReached
   */
  async take(organizationId: string, kind: Principal['kind']): Promise<LimitHeaders | undefined> {
    return this.quota.take(kind === 'project_key' ? `${organizationId}|devices` : organizationId)
  }
}
