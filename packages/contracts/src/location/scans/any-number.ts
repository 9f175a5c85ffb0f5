/** A number that is written as a string, as some devices write all numbers. */
const WRITTEN = /^ *[-+]?\d{1,15}(?:\.\d{1,15})? *$/

/**
 * Returns a number as devices send it, also as a text. What JSON writes as 1e999 is Infinity here, and out of every range.
 *
 * @returns null where null was sent, undefined where what was sent is no number
 */
export function readNumber(sent: unknown): number | null | undefined {
  if (typeof sent === 'number' || sent === null) return sent
  return typeof sent === 'string' && WRITTEN.test(sent) ? Number(sent) : undefined
}
