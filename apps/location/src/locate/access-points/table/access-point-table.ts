import { addressHash } from '@bearing/positioning/scans/address-hash'
import { TableShard, WAYS, type CachedKind, type CachedPlace, type Known } from './table-shard.js'

/** Sets of a shard at most, a power of two. To copy so many when it grows takes half a millisecond. */
const MOST_SETS = 512

/** Other than that of the shards, or all that is in one of them would lead to a few of its sets. */
const SHARD_SEED = 1

/** Limits on the size and the age of a table. */
export interface TableLimits {
  /** Access points of one organization, rounded up to what shards have room for. */
  readonly accessPoints: number
  /** Milliseconds until one is read again, even if nothing was heard of a change. */
  readonly ttlMs: number
  /** The same in milliseconds for one whose changes are checked ({@link LayerChanges}), as long as they are. */
  readonly checkedTtlMs: number
}

/**
 * A bounded number of access points by their addresses, in plain numbers.
 *
 * As objects in a map each takes three times as much memory and lives for a minute, so every young garbage collection
 * copies what was read since the last one; preallocating takes 1.1 MB for each organization; and a growing map is
 * copied whole while the event loop waits. This table consists of many small ones, each of which grows alone.
 *
 * Evicts roughly the least recently used among those in the same slots, so a client that makes up addresses for certain
 * slots evicts only those, and slows nothing down.
 */
export class AccessPointTable {
  /** Those that have something. */
  private readonly shards: (TableShard | undefined)[]
  private readonly mostSets: number
  private uses = 0
  private taken = 0
  private allocated = 0

  /** @param checkedUntilMs returns until when changes count as checked, unless another check ends; in milliseconds since 1970 */
  constructor(
    private readonly limits: TableLimits,
    private readonly checkedUntilMs: () => number,
  ) {
    const sets = Math.ceil(limits.accessPoints / WAYS)
    this.mostSets = Math.min(MOST_SETS, 2 ** Math.ceil(Math.log2(sets)))
    this.shards = Array.from({ length: Math.ceil(sets / this.mostSets) }, () => undefined)
  }

  /** Access points in it, expired ones included. */
  get entries(): number {
    return this.taken
  }

  /** Slots that it has memory for, of 64 bytes, or 128 with what was learned. */
  get slots(): number {
    return this.allocated
  }

  /** Most slots that it may have. */
  get mostSlots(): number {
    return this.shards.length * this.mostSets * WAYS
  }

  /** @returns undefined if it is not cached */
  get(bssid: number, nowMs: number): Known | undefined {
    return this.shards[this.indexOf(bssid)]?.get(bssid, nowMs, this.checkedNow(nowMs), ++this.uses)
  }

  /**
   * Does what {@link get} does, but writes a position to `place` instead of making objects.
   *
   * @returns undefined if it is not cached
   */
  readPlace(bssid: number, nowMs: number, place: CachedPlace): CachedKind | undefined {
    const shard = this.shards[this.indexOf(bssid)]
    return shard?.readPlace(bssid, nowMs, this.checkedNow(nowMs), ++this.uses, place)
  }

  /** Returns whether it is cached. */
  has(bssid: number, nowMs: number): boolean {
    return this.shards[this.indexOf(bssid)]?.has(bssid, nowMs, this.checkedNow(nowMs)) ?? false
  }

  /** @param isChecked whether changes of it are checked, so that it can be cached for longer */
  set(bssid: number, known: Known, nowMs: number, isChecked = false): void {
    const index = this.indexOf(bssid)
    const before = this.shards[index]
    let shard = before ?? new TableShard(1)
    if (shard.isFull && shard.sets < this.mostSets) shard = shard.doubled()
    this.shards[index] = shard
    this.allocated += (shard.sets - (before?.sets ?? 0)) * WAYS
    this.taken -= before?.entries ?? 0
    const { ttlMs, checkedTtlMs } = this.limits
    shard.set(
      bssid,
      known,
      { expiresAtMs: nowMs + (isChecked ? checkedTtlMs : ttlMs), isChecked },
      ++this.uses,
    )
    this.taken += shard.entries
  }

  /** Evicts one access point. A read that is under way may still store it again, until it expires. */
  delete(bssid: number): void {
    const shard = this.shards[this.indexOf(bssid)]
    if (!shard) return
    this.taken -= shard.entries
    shard.delete(bssid)
    this.taken += shard.entries
  }

  /** Returns by which time those whose changes are checked expire: without checks as early as all others. */
  private checkedNow(nowMs: number): number {
    const { ttlMs, checkedTtlMs } = this.limits
    return nowMs < this.checkedUntilMs() ? nowMs : nowMs + Math.max(0, checkedTtlMs - ttlMs)
  }

  private indexOf(bssid: number): number {
    return (addressHash(bssid, SHARD_SEED) >>> 0) % this.shards.length
  }
}
