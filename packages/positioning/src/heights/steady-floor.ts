import { LEAST_PROBABLE, type EstimatedHeight } from '../earth/height.js'

/** Time for which the floor of a scan counts, in seconds: a lift takes no longer from one to the next but one. */
const KEPT_SECONDS = 20

/** Floor according to a scan. */
export interface PastFloor {
  readonly floor: EstimatedHeight['floor']
  /** Time before the latest scan, in milliseconds; 0 for the latest. */
  readonly ageMs: number
}

/**
 * Returns the floor of a device by its latest scan and those before it: the mean of their probabilities, in which a scan counts by
 * exp(−age / 20 s). Scans of one walk are wrong together, so their agreement makes nothing more probable than the surest of them.
 *
 * @returns undefined where none is likely
 */
export function steadyFloor(floors: readonly PastFloor[]): EstimatedHeight['floor'] {
  const sums = new Map<string, number>()
  let total = 0
  for (const { floor, ageMs } of floors) {
    const weight = Math.exp(-ageMs / 1_000 / KEPT_SECONDS)
    total += weight
    if (floor) sums.set(floor.name, (sums.get(floor.name) ?? 0) + weight * floor.probability)
  }
  const [best] = [...sums].sort(([, one], [, other]) => other - one)
  if (!best || best[1] / total < LEAST_PROBABLE) return undefined
  return { name: best[0], probability: best[1] / total }
}
