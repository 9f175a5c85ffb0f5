import { LRUCache } from 'lru-cache'
import type { KnownAccessPoint } from '../positioning/locate.js'

/** Stands for an access point that the layer does not have. */
export const UNKNOWN = Symbol('unknown access point')

/**
 * What is remembered of one layer, by BSSID. Whoever reads from the database holds on to the layer it asked, and writes
 * what it read there: if the layer was forgotten meanwhile, nobody looks there any more, so old rows cannot come back.
 */
export type CachedLayer = LRUCache<number, KnownAccessPoint | typeof UNKNOWN>

/** How much is remembered, and for how long. */
export interface CacheLimits {
  /** Layers, at least 2. */
  readonly layers: number
  /** Access points of one layer. */
  readonly accessPoints: number
  /** Milliseconds until an entry is read again, even if nothing was heard of a change. */
  readonly ttlMs: number
}

/**
 * Access points that were looked up lately, and which were not found. Each layer has its own, so that what belongs to one
 * organization cannot be found with the key of another. The least recently used layers and access points go first.
 */
export class AccessPointCache {
  private readonly layers: LRUCache<string, CachedLayer>

  constructor(
    private readonly limits: CacheLimits,
    private readonly nowMs: () => number,
  ) {
    this.layers = new LRUCache({ max: limits.layers })
  }

  /**
   * What is remembered of a layer right now. Ask for it before the database is asked, and never keep it for longer than
   * one look-up.
   */
  layer(id: string): CachedLayer {
    const known = this.layers.get(id)
    if (known) return known
    const { accessPoints, ttlMs } = this.limits
    const made: CachedLayer = new LRUCache({ max: accessPoints, ttl: ttlMs, perf: { now: this.nowMs } })
    this.layers.set(id, made)
    return made
  }

  /** Forgets a layer that has changed. */
  forget(id: string): void {
    this.layers.delete(id)
  }

  /** Forgets everything: changes may have been missed. */
  clear(): void {
    this.layers.clear()
  }
}
