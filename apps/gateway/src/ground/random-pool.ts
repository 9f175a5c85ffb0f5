import { randomFillSync } from 'node:crypto'

/** Drawn for many requests at once: each draw costs as much as the rest of a request's way in. */
const drawn = Buffer.alloc(8_192)
let used = drawn.length

/**
 * Bytes that nobody can foresee, each given out once.
 *
 * @param length 1 to 8,192
 * @returns a view that holds until the next call
 */
export function drawRandom(length: number): Buffer {
  if (used + length > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  return drawn.subarray(used, (used += length))
}
