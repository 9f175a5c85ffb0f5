import { LRUCache } from 'lru-cache'

/**
 * Entries by key, in memory. The least recently used ones are evicted.
 *
 * The library's own `max` allocates for all entries in advance, 16 bytes for each and 24 with a time to live; this counts them
 * instead, so an empty cache takes nothing.
 */
export class Cache<Value extends object | number | boolean> extends LRUCache<string, Value> {
  /**
   * @param most of all entries together: their number, unless `sizeCalculation` weighs them
   * @param options of `lru-cache`; `ttl` in milliseconds
   */
  constructor(most: number, options: Partial<LRUCache.Options<string, Value, unknown>> = {}) {
    super({ maxSize: most, sizeCalculation: () => 1, ...options })
  }
}
