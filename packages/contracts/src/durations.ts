/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000

/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 24 * HOUR_MS

/** The waits between attempts, in milliseconds: the first, and the longest. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Returns how long to wait before the next attempt (exponential backoff): `firstMs` after the first failure, then twice as long
 * each time, at most `maxMs`.
 *
 * @param failures failures in a row; 0: no wait
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return failures <= 0 ? 0 : Math.min(maxMs, firstMs * 2 ** (failures - 1))
}
