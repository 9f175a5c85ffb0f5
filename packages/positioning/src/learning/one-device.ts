import type { Contribution } from './contribution.js'
import { jumps } from './plausibility.js'

/** Steps that a single bad position makes impossible: the one to it, and the one from it. */
const BAD_POSITION_STEPS = 2
/** A receiver that is wrong more often than this is no use to its owner. */
const MOST_IMPOSSIBLE = 0.1

/**
 * Whether contributions that do not say who made them can be those of one device. A bad position makes one or two steps
 * impossible; where it is more than one step in ten, several devices have been put together, and none of them is to be
 * judged by where another was.
 *
 * @param scans in the order of their times
 */
export function canBeOneDevice(scans: readonly Contribution[]): boolean {
  let impossible = 0
  let previous: Contribution | undefined
  for (const scan of scans) {
    if (previous && jumps(previous, scan)) impossible++
    previous = scan
  }
  return impossible <= Math.max(BAD_POSITION_STEPS, MOST_IMPOSSIBLE * (scans.length - 1))
}
