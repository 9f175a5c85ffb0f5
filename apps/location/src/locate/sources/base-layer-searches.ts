import { OperationError } from '@bearing/contracts/errors'
import { squaredDistance, type Vector } from '@bearing/positioning/earth/sphere'
import { baseNeighborhoods, type BaseNeighborhood } from '@bearing/positioning/estimate/base-neighborhoods'
import type { KnownOfScan } from '@bearing/positioning/estimate/layered-estimate'
import type { Scan } from '@bearing/positioning/scans/scan'
import type { UsableNumbers } from '@bearing/positioning/scans/usable-numbers'
import type { Clock } from '@bearing/service/ground/clock'
import type { Limit, RateLimits } from '@bearing/service/store/rate-limits'
import { Cache } from '@bearing/client-nats/cache'
import type { Creators } from './creators.js'

/** Cached creators that have reached the limit. */
const MOST_LIMITED = 10_000
/** Cached access points that were asked for far from where they are. */
const MOST_TARGETS = 50_000
/** Access points that answer as unknown to one creator. */
const MOST_HIDDEN = 10_000
const DAY_S = 86_400
/** Places nearer to each other than this, in meters, are one neighborhood. */
const APART_METERS = 1_000

/** Limits on searches of the base layer by one creator's organizations. */
export interface SearchBudget {
  /** Neighborhoods that look-ups ask about in a minute, beyond the first of each. */
  readonly neighborhoodsPerMinute: number
  /** Neighborhoods that one access point is asked for with in a day; beyond that it answers as if it were unknown. */
  readonly neighborhoodsPerTarget: number
}

/** Knowledge that a look-up may use. */
export interface Allowed {
  readonly known: KnownOfScan
  /** True if the budget is used up, so `known` has nothing of the base layer. */
  readonly isLimited: boolean
}

/**
 * Limits how much of the base layer can be searched for the place of an access point. A device receives one neighborhood. A look-up
 * whose access points the base layer has in several asks in which of them they are, whatever it is answered: so each neighborhood
 * beyond the first is counted before the answer, found or not. All organizations of one creator share the budget.
 *
 * Look-ups of a single known access point do not count: a limit would say that it is known.
 */
export class BaseLayerSearches {
  private readonly limit: Limit
  private readonly targets: Limit
  /** Until when creators are limited, in milliseconds. Only searches ask the store, so other look-ups do not wait for it. */
  private readonly limitedUntilMs = new Cache<number>(MOST_LIMITED)
  /** By creator, until when access points answer as if they were unknown. */
  private readonly hidden = new Cache<Map<number, number>>(MOST_LIMITED)
  /** Places at which access points were asked for, so that the same neighborhood counts once. */
  private readonly askedAt = new Cache<readonly Vector[]>(MOST_TARGETS, { ttl: DAY_S * 1_000 })

  constructor(
    limits: Pick<RateLimits, 'limit'>,
    budget: SearchBudget,
    private readonly creators: Pick<Creators, 'of' | 'known'>,
    private readonly clock: Clock,
  ) {
    const whenStoreIsDown = 'open'
    this.limit = limits.limit({
      ...{ name: 'base_layer_searches', points: budget.neighborhoodsPerMinute, windowS: 60, whenStoreIsDown },
    })
    this.targets = limits.limit({
      ...{
        name: 'base_layer_targets',
        points: budget.neighborhoodsPerTarget,
        windowS: DAY_S,
        whenStoreIsDown,
      },
    })
  }

  /** Returns whether a scan needs {@link allow} although it asks about one neighborhood. Does not wait. */
  concern(organizationId: string, { bssids, count }: UsableNumbers): boolean {
    // No creator has searched much, nearly always.
    if (!this.hasLimited) return false
    const creator = this.creators.known(organizationId)
    if (creator === undefined || this.isReached(creator)) return true
    if (!this.hidden.has(creator)) return false
    for (let index = 0; index < count; index++) if (this.isHidden(creator, bssids[index] ?? 0)) return true
    return false
  }

  /** Returns what a look-up may use of what is known, in the order of the scan, and counts what it asks about. */
  async allow(organizationId: string, scan: Scan, known: KnownOfScan): Promise<Allowed> {
    const neighborhoods = baseNeighborhoods(scan, known)
    if (neighborhoods.length < 2 && !this.hasLimited) return { known, isLimited: false }
    const creator = await this.creators.of(organizationId)
    if (this.isReached(creator) || (await this.isTooMuch(creator, neighborhoods.length - 1)))
      return { known: ownAlone(known), isLimited: true }
    await this.countStrays(creator, neighborhoods)
    return { known: this.withoutHidden(creator, scan, known), isLimited: false }
  }

  /** Returns the error for a look-up that needs the base layer while the limit is reached. */
  async refusal(organizationId: string): Promise<OperationError> {
    this.limit.refused()
    const creator = await this.creators.of(organizationId)
    const leftMs = (this.limitedUntilMs.get(creator) ?? 0) - this.clock.nowMs()
    return new OperationError(
      'rate_limited',
      `Look-ups of organizations with the same creator asked about more than ${String(this.limit.points)} neighborhoods in a minute, beyond the first of each. Until the minute is over only the organization's own access points are used.`,
      { retry_after: Math.max(1, Math.ceil(leftMs / 1_000)) },
    )
  }

  private isReached(creator: string): boolean {
    return this.clock.nowMs() < (this.limitedUntilMs.get(creator) ?? 0)
  }

  private async isTooMuch(creator: string, neighborhoods: number): Promise<boolean> {
    if (neighborhoods <= 0) return false
    const { used, endsInMs } = await this.limit.add(creator, neighborhoods)
    if (used >= this.limit.points) this.limitedUntilMs.set(creator, this.clock.nowMs() + endsInMs)
    return used > this.limit.points
  }

  /** Counts access points that are asked for far from where they are. */
  private async countStrays(creator: string, [densest, ...rest]: readonly BaseNeighborhood[]): Promise<void> {
    const [second] = rest
    if (!densest || !second) return
    for (const { bssids } of rest)
      for (const bssid of bssids) await this.countStray(creator, bssid, densest.place)
    // If none has company, each of them may be the one that is searched.
    if (densest.radios === 1)
      for (const bssid of densest.bssids) await this.countStray(creator, bssid, second.place)
  }

  private async countStray(creator: string, bssid: number, place: Vector): Promise<void> {
    if (this.isHidden(creator, bssid)) return
    const target = `${creator} ${bssid.toString(16)}`
    const before = this.askedAt.get(target) ?? []
    if (before.some((other) => squaredDistance(other, place) < APART_METERS ** 2)) return
    this.askedAt.set(target, [...before, place])
    const { used, endsInMs } = await this.targets.count(target)
    if (used > this.targets.points) this.hide(creator, bssid, this.clock.nowMs() + endsInMs)
  }

  private hide(creator: string, bssid: number, untilMs: number): void {
    const hidden = this.hidden.get(creator) ?? new Map<number, number>()
    this.hidden.set(creator, hidden.set(bssid, untilMs))
    for (const oldest of hidden.keys()) {
      if (hidden.size <= MOST_HIDDEN) break
      hidden.delete(oldest)
    }
  }

  private isHidden(creator: string, bssid: number): boolean {
    return this.clock.nowMs() < (this.hidden.get(creator)?.get(bssid) ?? 0)
  }

  private withoutHidden(creator: string, scan: Scan, known: KnownOfScan): KnownOfScan {
    if (!this.hidden.has(creator)) return known
    const bssids = [...scan.keys()]
    return known.map((one, index) =>
      one?.isOwn || !this.isHidden(creator, bssids[index] ?? 0) ? one : undefined,
    )
  }

  private get hasLimited(): boolean {
    return this.limitedUntilMs.size > 0 || this.hidden.size > 0
  }
}

/** Returns what an organization knows itself, without the base layer. */
export function ownAlone(known: KnownOfScan): KnownOfScan {
  return known.map((one) => (one?.isOwn ? one : undefined))
}
