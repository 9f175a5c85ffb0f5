/** The most of a `Retry-After` that is gone by, in milliseconds. */
const MAX_ASKED_MS = 3_600_000

/**
 * After how many milliseconds a delivery is tried again.
 *
 * @param delaysMs the pauses after the first attempt, the second one, and so on
 * @param attempts how many there were
 * @param random 0 to 1: pauses are up to a fifth longer, so that what failed together does not come back together
 * @param askedMs what the receiver asked for (`Retry-After`): no less than that, within reason
 * @returns undefined where it is given up
 */
export function retryDelayMs(
  delaysMs: readonly number[],
  attempts: number,
  random: number,
  askedMs = 0,
): number | undefined {
  const delay = delaysMs[attempts - 1]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + random / 5), Math.min(askedMs, MAX_ASKED_MS))
}

/** What a `Retry-After` in seconds asks for, in milliseconds; 0 where it is missing or something else (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | null): number {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : 0
}
