import type { Inflation } from '@bearing/service/ground/inflation'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { LimitReached } from './limit-reached.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

const DAY_S = 24 * 3_600

/**
 * Limits what the compressed bodies of an organization cost in a day: the bytes that were received, and those that they
 * became. Refused bodies cost the same.
 */
@Injectable()
export class CompressedBytes {
  private readonly limit: Limit | undefined

  constructor(
    limits: RateLimits,
    @Inject(SETTINGS) { ORGANIZATION_COMPRESSED_BYTES_PER_DAY: perDay }: Settings,
  ) {
    if (perDay > 0)
      this.limit = limits.limit({
        name: 'compressed-bytes',
        points: perDay,
        windowS: DAY_S,
        whenStoreIsDown: 'open',
      })
  }

  /**
   * Refuses a compressed body of an organization that has used up its day.
   *
   * @throws LimitReached
   */
  async refuse(organizationId: string): Promise<void> {
    const count = await this.limit?.look(organizationId)
    if (this.limit && count && count.used >= this.limit.points)
      throw new LimitReached(
        this.limit,
        count,
        `The compressed bodies of the organization had ${String(this.limit.points)} bytes today, which is the daily limit. Send the body without compression.`,
      )
  }

  /** Counts what a body has cost, also one that was refused. */
  async charge(organizationId: string, { cost }: Inflation): Promise<void> {
    await this.limit?.add(organizationId, cost)
  }
}
