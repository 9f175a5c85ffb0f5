/** Largest `Retry-After` that is respected, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000

/**
 * Returns the delay until the next attempt of a delivery, in milliseconds.
 *
 * @param delaysMs delays after the first attempt, the second attempt, and so on
 * @param attempts attempts so far
 * @param random 0 to 1: delays are up to 20 % longer, so that deliveries that failed together spread
 * @param requestedMs the receiver's `Retry-After`: the minimum, up to an hour
 * @returns undefined if no attempt is left
 */
export function retryDelayMs(
  delaysMs: readonly number[],
  attempts: number,
  random: number,
  requestedMs = 0,
): number | undefined {
  const delay = delaysMs[attempts - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + random / 5), Math.min(requestedMs, MAX_RETRY_AFTER_MS))
}

/** Returns a `Retry-After` in milliseconds; 0 if it is missing or not in seconds (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | null): number {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : 0
}
