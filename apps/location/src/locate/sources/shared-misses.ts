import { OperationError } from '@bearing/contracts/errors'
import { countRadios } from '@bearing/positioning/scans/radio'
import type { KnownOfScan } from '@bearing/positioning/estimate/layered-estimate'
import type { Scan } from '@bearing/positioning/scans/scan'
import type { Clock } from '@bearing/service/clock'
import type { Limit, LimitOptions, RateLimits } from '@bearing/service/rate-limits'
import { LRUCache } from 'lru-cache'

/** Cached organizations that have reached the limit. */
const MOST_LIMITED = 10_000
/** Boxes of the shared layer that make a look-up without a position a miss. */
const LEAST_COMPANIONS = 2

/**
 * Limits how often an organization may look up access points that the shared layer knows at different places. A device receives one
 * neighborhood, so such a look-up is rare, and it is how somebody would search for the place of an access point.
 *
 * Look-ups of a single known access point do not count: a limit would say that it is known.
 */
export class SharedMisses {
  private readonly limit: Limit
  /** Until when organizations are limited, in milliseconds. Only misses ask the store, so look-ups do not wait for it. */
  private readonly limitedUntilMs = new LRUCache<string, number>({ max: MOST_LIMITED })

  constructor(
    limits: Pick<RateLimits, 'limit'>,
    perMinute: number,
    private readonly clock: Clock,
  ) {
    const options: LimitOptions = {
      name: 'shared_location_misses',
      points: perMinute,
      windowS: 60,
      whenStoreIsDown: 'open',
    }
    this.limit = limits.limit(options)
  }

  /** Returns whether the organization has reached the limit. */
  isReached(organizationId: string): boolean {
    // No organization is, nearly always.
    if (this.limitedUntilMs.size === 0) return false
    return this.clock.nowMs() < (this.limitedUntilMs.get(organizationId) ?? 0)
  }

  /** Counts a look-up without a position if it had companions. */
  async count(organizationId: string, scan: Scan, known: KnownOfScan): Promise<void> {
    const shared = [...scan.keys()].filter((_, index) => known[index]?.shared)
    if (countRadios(shared) < LEAST_COMPANIONS) return
    const { remaining, endsInMs } = await this.limit.count(organizationId)
    if (remaining === 0) this.limitedUntilMs.set(organizationId, this.clock.nowMs() + endsInMs)
  }

  /** Returns the error for a look-up that needs the shared layer while the limit is reached. */
  refusal(organizationId: string): OperationError {
    this.limit.refused()
    const leftMs = (this.limitedUntilMs.get(organizationId) ?? 0) - this.clock.nowMs()
    return new OperationError(
      'rate_limited',
      `The organization made ${String(this.limit.points)} look-ups in a minute whose access points are known at different places. Until the minute is over only its own access points are used.`,
      { retry_after: Math.max(1, Math.ceil(leftMs / 1_000)) },
    )
  }
}

/** Returns what an organization knows itself, without the shared layer. */
export function ownAlone(known: KnownOfScan): KnownOfScan {
  return known.map((one) => {
    const own = one?.own
    return own && { all: own, own, shared: undefined, isOthers: false }
  })
}
