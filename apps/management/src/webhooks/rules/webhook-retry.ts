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

/** Dates of RFC 9110 §5.6.7: IMF-fixdate, and the two obsolete forms. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/

/** Returns a `Retry-After` in milliseconds from now: seconds or a date (RFC 9110 §10.2.3); 0 if it is missing, past or neither. */
export function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  if (!HTTP_DATE.test(header)) return 0
  const at = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs)
}
