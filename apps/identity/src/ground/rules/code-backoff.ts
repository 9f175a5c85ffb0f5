import { backoffMs } from '@bearing/contracts/backoff'
/** Wrong codes that cost no waiting. */
const FREE = 4
const FIRST_WAIT_MS = 30_000
const MAX_WAIT_MS = 15 * 60_000

/**
 * How long no code of a user is looked at after so many wrong ones in a row, in milliseconds: nothing after the first
 * ones, then twice as long each time, up to a quarter of an hour. So who knows the password has about a hundred tries a
 * day, and the user is never locked out for good.
 */
export function codeWaitMs(failures: number): number {
  return backoffMs(failures - FREE, { firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS })
}
