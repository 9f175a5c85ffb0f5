import { addressHash } from '@bearing/positioning/address-hash'
import { TableShard, WAYS, type Known } from './table-shard.js'

/** Sets of a shard at most, a power of two. To copy so many when it grows takes a tenth of a millisecond. */
const MOST_SETS = 128

/** Other than that of the shards, or all that is in one of them would lead to a few of its sets. */
const SHARD_SEED = 1

/** How much is remembered, and for how long. */
export interface TableLimits {
  /** Access points of one organization, rounded up to what shards have room for. */
  readonly accessPoints: number
  /** Milliseconds until one is read again, even if nothing was heard of a change. */
  readonly ttlMs: number
}

/**
 * Access points by their addresses, a bounded number, in plain numbers.
 *
 * As objects in a map each takes three times as much memory and lives for a minute, so that every collection of young garbage
 * copies what was read since the last one; room for all that there may ever be was taken for each organization at once (1.1 MB);
 * and a map that grows is copied whole while the event loop waits. Here most access points are no object at all, and the table
 * consists of many small ones, of which each grows by itself.
 *
 * What was least recently used goes first, nearly: among those that lead to the same places. Whoever makes up addresses that
 * do takes room from those alone, and makes nothing slower.
 */
export class AccessPointTable {
  private readonly shards: TableShard[]
  private readonly mostSets: number
  private uses = 0

  constructor(private readonly limits: TableLimits) {
    const sets = Math.ceil(limits.accessPoints / WAYS)
    this.mostSets = Math.min(MOST_SETS, 2 ** Math.ceil(Math.log2(sets)))
    this.shards = Array.from({ length: Math.ceil(sets / this.mostSets) }, () => new TableShard(1))
  }

  /** @returns undefined where that cannot be told */
  get(bssid: number, nowMs: number): Known | undefined {
    return this.shards[this.indexOf(bssid)]?.get(bssid, nowMs, ++this.uses)
  }

  set(bssid: number, known: Known, nowMs: number): void {
    const index = this.indexOf(bssid)
    const shard = this.shards[index]
    if (shard?.isFull && shard.sets < this.mostSets) this.shards[index] = shard.doubled()
    this.shards[index]?.set(bssid, known, nowMs + this.limits.ttlMs, ++this.uses)
  }

  /** Forgets one access point. What is being read at the moment may still come in, and goes when it expires. */
  delete(bssid: number): void {
    this.shards[this.indexOf(bssid)]?.delete(bssid)
  }

  private indexOf(bssid: number): number {
    return (addressHash(bssid, SHARD_SEED) >>> 0) % this.shards.length
  }
}
