/** See {@link atMost}. */
interface Bound {
  readonly maxSize: number
  readonly sizeCalculation: () => 1
}

/**
 * Options of a cache (`lru-cache`) of at most so many entries, which takes memory for those that it has. The library's own
 * `max` takes it for all of them at once: 16 bytes for each that there may be, and 24 where they end after a time.
 */
export function atMost(entries: number): Bound {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
