import { backoffMs } from '@bearing/contracts/durations'

/**
 * Returns the wait after a number of failures, in whole seconds: 0 for the free ones, then 1, 2, 4, … up to a maximum, so
 * that no user is locked out permanently.
 *
 * @param free failures before backoff starts
 */
export function backoffSeconds(failures: number, free: number, maxS: number): number {
  return backoffMs(failures - free, { firstMs: 1_000, maxMs: maxS * 1_000 }) / 1_000
}
