import { randomFillSync } from 'node:crypto'

/** Random bytes for many requests: one system call for each request would cost as much as the rest of its way in. */
const pool = Buffer.alloc(8_192)
let used = pool.length

/**
 * Returns unpredictable bytes. No byte is returned twice.
 *
 * @param length 1 to 8,192
 * @returns a view that is valid until the next call
 */
export function randomFromPool(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.subarray(used, (used += length))
}
