import { backoffMs } from '@bearing/contracts/backoff'
/**
 * How long to wait after so many failures, in whole seconds: nothing for the first ones, then 1, 2, 4, … up to a limit,
 * so that nobody is locked out for good.
 *
 * @param failures including the one that is waited after
 * @param free failures that cost no waiting
 */
export function backOffSeconds(failures: number, free: number, maxS: number): number {
  return backoffMs(failures - free, { firstMs: 1_000, maxMs: maxS * 1_000 }) / 1_000
}
