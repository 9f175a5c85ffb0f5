import { TableShard, WAYS, mixed, type Known } from './table-shard.js'

/** Sets of a shard at most, a power of two. To copy so many when it grows takes a tenth of a millisecond. */
const MOST_SETS = 128

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
    const hash = hashOf(bssid)
    return this.shardOf(hash).get(bssid, hash, nowMs, ++this.uses)
  }

  set(bssid: number, known: Known, nowMs: number): void {
    const hash = hashOf(bssid)
    const index = this.indexOf(hash)
    let shard = this.shardOf(hash)
    if (shard.isFull && shard.sets < this.mostSets) {
      shard = shard.doubled(hashOf)
      this.shards[index] = shard
    }
    shard.set(bssid, hash, known, nowMs + this.limits.ttlMs, ++this.uses)
  }

  /** Forgets one access point. What is being read at the moment may still come in, and goes when it expires. */
  delete(bssid: number): void {
    const hash = hashOf(bssid)
    this.shardOf(hash).delete(bssid, hash)
  }

  private indexOf(hash: number): number {
    return (mixed(hash) >>> 0) % this.shards.length
  }

  private shardOf(hash: number): TableShard {
    const shard = this.shards[this.indexOf(hash)]
    if (!shard) throw new RangeError('a table has at least one shard')
    return shard
  }
}

/** 32 bits of the 48 of an address, mixed. */
function hashOf(bssid: number): number {
  return mixed((bssid | 0) ^ Math.imul(bssid / 0x1_0000_0000, 0x9e37_79b1))
}
