import { EARLIEST_SECONDS } from '@bearing/contracts/location/observations/observation'
import { squaredDistance, toVector } from '../../earth/sphere.js'
import type { Contribution } from './contribution.js'

/**
 * Reason that nothing is learned from a contribution.
 * - `inaccurate_position`: it may be off by more than an access point can be heard.
 * - `too_fast`: the device moves so fast that a scan has no one place.
 * - `null_island`: 0° N 0° E is what broken receivers say.
 * - `in_the_future`: later than now, by more than clocks differ.
 * - `clock_not_set`: earlier than any survey of Wi-Fi ({@link EARLIEST_SECONDS}).
 * - `impossible_jump`: nothing travels that fast from the device's previous scan.
 */
export type Implausible =
  'inaccurate_position' | 'too_fast' | 'null_island' | 'in_the_future' | 'clock_not_set' | 'impossible_jump'

const MOST_ACCURACY_METERS = 200
/** 180 km/h: what is faster flies, or jumps. */
const MOST_SPEED = 50
const NULL_ISLAND_DEGREES = 1
const CLOCK_SECONDS = 300

/**
 * Returns whether a contribution can be true (limits as in Mozilla's ichnaea, models/observation.py, and BeaconDB).
 *
 * @param previous the device's scan before this one, if it is known
 * @param nowSeconds seconds since 1970
 * @returns undefined where nothing speaks against it
 */
export function implausible(
  contribution: Contribution,
  previous: Contribution | undefined,
  nowSeconds: number,
): Implausible | undefined {
  const { lat, lon, accuracyMeters, atSeconds, speedMetersPerSecond = 0 } = contribution
  if (!(accuracyMeters <= MOST_ACCURACY_METERS)) return 'inaccurate_position'
  if (speedMetersPerSecond > MOST_SPEED) return 'too_fast'
  if (Math.abs(lat) < NULL_ISLAND_DEGREES && Math.abs(lon) < NULL_ISLAND_DEGREES) return 'null_island'
  if (atSeconds > nowSeconds + CLOCK_SECONDS) return 'in_the_future'
  if (atSeconds < EARLIEST_SECONDS) return 'clock_not_set'
  if (previous && jumps(previous, contribution)) return 'impossible_jump'
  return undefined
}

/**
 * Returns whether nothing travels that fast from one contribution to the other. Of two of the very same time nobody knows: they came
 * together, and do not say when they were heard.
 */
function jumps(from: Contribution, to: Contribution): boolean {
  const seconds = Math.abs(to.atSeconds - from.atSeconds)
  if (seconds === 0) return false
  return movedMeters(from, to) > MOST_SPEED * seconds + from.accuracyMeters + to.accuracyMeters
}

/** Returns the straight distance between two contributions in meters. */
export function movedMeters(from: Contribution, to: Contribution): number {
  return Math.sqrt(squaredDistance(toVector(from), toVector(to)))
}
