import { ANYTHING } from './distance-errors.js'
import { DEGREES, Posterior, type Prior, type Range } from './distance-posterior.js'
import { Plane } from '../earth/plane.js'
import { toVector, type Coordinates } from '../earth/sphere.js'

/**
 * A distance that a device has measured by the round-trip times of frames (IEEE 802.11mc and az), to an access point whose place its
 * owner has surveyed.
 */
export interface MeasuredDistance {
  readonly bssid: number
  /** Place of the access point. */
  readonly place: Coordinates
  /** In meters; close to the access point it may be less than 0. */
  readonly meters: number
  /** Standard deviation of the single measurements in meters, if the device says so. */
  readonly deviationMeters?: number | undefined
}

/** Position of a scan by everything else, with the radii in meters that hold the truth in 68 and in 95 % of cases. */
export interface FixBefore extends Coordinates {
  readonly radius68: number
  readonly radius95: number
}

/** The same with distances. */
export interface RangedFix extends Coordinates {
  /** BSSIDs whose distances count. */
  readonly used: readonly number[]
  /** Returns the radius in meters that holds the truth with a confidence of 50 to 99, in percent. */
  readonly radiusAt: (confidence: number) => number
}

/** Access points that have to agree: of a single distance nothing says whether it is right. */
const LEAST = 2
/** The most distances that are used, the shortest: walls are behind the others. */
const MOST = 12
/** Number of distances that are left out at most, one at a time: each takes as long as all together. */
const MOST_LEFT_OUT = 2
/** Access points that are closer together are one: what bends one distance bends the other, too. In meters. */
const ONE_PLACE_METERS = 1
/** Distances through walls of which the square of the radius grows by as much as by one distance: walls bend several of them together. */
const BENT_TOGETHER = 8
/** Radii of 68 and 95 % of Student's t on a plane, of a scale of 1. */
const [RADIUS_68, RADIUS_95] = [radiusOf(0.68), radiusOf(0.95)]

function radiusOf(share: number): number {
  return Math.sqrt(DEGREES * ((1 - share) ** (-2 / DEGREES) - 1))
}

/**
 * Returns where a device is by distances to surveyed access points and by the fix without them: the mean of the posterior
 * ({@link Posterior}; Horn, Applied Sciences 14(17) 7805, 2024), since circles meet twice, and walls make distances longer and never
 * shorter. The radius is that of the posterior, and more behind walls.
 *
 * An access point that was moved spoils the fix without distances as well. So if distances contradict each other, the two that agree least
 * are left out with their part in the fix, one at a time, and what is the most probable counts.
 *
 * @param distances in any order; of access points at one place the shortest counts
 * @param without returns the fix without an access point, or undefined if there is none
 * @returns undefined if they say nothing: fewer than two agree, more disagree than agree, or they are off by more than walls explain
 */
export function rangedFix(
  fix: FixBefore,
  distances: readonly MeasuredDistance[],
  without: (bssid: number) => FixBefore | undefined = () => undefined,
): RangedFix | undefined {
  const plane = new Plane(toVector(fix))
  const ranges = rangesOf(distances, plane)
  if (ranges.length < LEAST) return undefined
  const posterior = mostProbable(ranges, new Posterior(ranges, priorOf(fix, plane)), (bssid) => {
    const other = without(bssid)
    return other && priorOf(other, plane)
  })
  const used = posterior.areUsed ? posterior.agreeing : []
  if (used.length < LEAST || 2 * used.length < ranges.length) return undefined
  const mean = posterior.mean()
  const bent = posterior.isInSight ? 1 : Math.sqrt(1 + used.length / BENT_TOGETHER)
  return {
    ...plane.toCoordinates(mean.x, mean.y),
    used: used.map(({ bssid }) => bssid),
    radiusAt: (confidence) => bent * posterior.radius(mean, confidence / 100),
  }
}

function mostProbable(
  ranges: readonly Range[],
  all: Posterior,
  without: (bssid: number) => Prior | undefined,
): Posterior {
  if (ranges.length <= LEAST || all.agreeing.length === ranges.length) return all
  let best = all
  let most = all.evidence
  const densities = new Map(ranges.map((range) => [range, all.densityOf(range)]))
  const doubtful = [...densities].sort(([, one], [, other]) => one - other).slice(0, MOST_LEFT_OUT)
  for (const [range] of doubtful) {
    const prior = without(range.bssid)
    if (!prior) continue
    const rest = ranges.filter((other) => other !== range)
    const one = new Posterior(rest, prior)
    const evidence = ANYTHING * one.evidence
    if (evidence <= most) continue
    best = one
    most = evidence
  }
  return best
}

function priorOf(fix: FixBefore, plane: Plane): Prior {
  const vector = toVector(fix)
  const scale = Math.max(fix.radius68 / RADIUS_68, fix.radius95 / RADIUS_95)
  return { x: plane.east(vector), y: plane.north(vector), scale }
}

/** Returns the shortest distances, the shortest first, each to another place. */
function rangesOf(distances: readonly MeasuredDistance[], plane: Plane): Range[] {
  const ranges: Range[] = []
  for (const { bssid, place, meters, deviationMeters = 0 } of [...distances].sort(byMeters)) {
    const vector = toVector(place)
    const [east, north] = [plane.east(vector), plane.north(vector)]
    if (ranges.some((other) => Math.hypot(other.east - east, other.north - north) < ONE_PLACE_METERS))
      continue
    ranges.push({ bssid, east, north, meters, variance: deviationMeters ** 2 })
    if (ranges.length === MOST) break
  }
  return ranges
}

function byMeters(a: MeasuredDistance, b: MeasuredDistance): number {
  return a.meters - b.meters || a.bssid - b.bssid
}
