import { backoffMs } from '@bearing/contracts/durations'

/** Wrong codes before backoff starts. */
const FREE = 4
const FIRST_WAIT_MS = 30_000
const MAX_WAIT_MS = 15 * 60_000

/**
 * Returns how long codes of a user are refused after consecutive wrong ones, in milliseconds: 0 for the first ones, then
 * doubling up to 15 minutes. An attacker who has the password gets about 100 guesses a day, and the user is never locked out
 * permanently.
 */
export function codeWaitMs(failures: number): number {
  return backoffMs(failures - FREE, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS })
}
