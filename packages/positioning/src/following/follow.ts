import { Plane } from '../earth/plane.js'
import { toVector, type Coordinates } from '../earth/sphere.js'

/** Position of a device according to a scan. */
export interface PastFix extends Coordinates {
  /** Standard deviation of its error on an axis as the estimate itself says it (`deviationOf`), in meters; more than 0. */
  readonly deviationMeters: number
  /** Time before the latest fix, in milliseconds; 0 for the latest. */
  readonly ageMs: number
}

/** The most fixes before the latest that say more than they cost. */
export const MOST_FOLLOWED = 5

/**
 * Speeds of devices: standard deviation of the velocity on an axis, in meters a second. On both axes that is 1.2 m/s, a walk with
 * stops (1.4 m/s without; Bohannon, Age and Ageing 26, 1997), and 21 m/s, a drive.
 */
const SPEEDS = [0.85, 15] as const
/** Time for which a device keeps its velocity, in seconds. */
const KEPT_SECONDS = 25
/**
 * The part of an error that differs from scan to scan, in deviations: errors of one place last, and no filter removes those. The
 * fixes decide between these parts.
 */
const NOISE = [0.15, 0.5, 1.9] as const
/** Power of the deviation that a fix counts with: the less sure an estimate is, the more it exaggerates. */
const POWER = 0.9
/** Degrees of freedom of Student's t: fixes are far off more often than normal errors would be. */
const DEGREES = 25
/** Largest distance of the result from the latest fix, in deviations of that. Further, they contradict each other. */
const FARTHEST = 5
/**
 * The fastest that a device is followed, in meters a second: a brisk walk. Of what is faster, so beyond the deviations of the oldest and the
 * latest fix, scans lag behind the device, which no filter sees.
 */
const FASTEST = 2
/**
 * Share of the way from the latest fix to the filtered one that the result goes. Errors of fixes last longer than five scans if they
 * come from learned data; half of the way gains most of what the whole gains, and costs nothing at the median if they do
 * (bench/NOTES.md, "Following devices").
 */
const PART = 0.5
/** Scans are not closer together than this, in seconds, whatever a device says. */
const LEAST_SECONDS = 0.5

/**
 * Returns where a device is by its latest fix and those before it. Unknown are how fast it moves, and how much of the error differs from
 * scan to scan, so a filter runs for each combination of two speeds and three noises. The result is their mean, weighted by how
 * probable the fixes are for each (a static multiple-model estimator; Bar-Shalom, Li and Kirubarajan, 2001, 11.6), and the result is half
 * of the way to it. Of a device that drives it is the latest fix, and so it is where it would be further from that than its errors are: one
 * of the earlier fixes is wrong then, perhaps by kilometers.
 *
 * @param fixes at least one, in any order; the one with the smallest age is the latest
 */
export function followed(fixes: readonly PastFix[]): Coordinates {
  const [first, ...rest] = [...fixes].sort((a, b) => b.ageMs - a.ageMs)
  if (!first) throw new RangeError('There is no fix.')
  const latest = rest.at(-1) ?? first
  const plane = new Plane(toVector(latest))
  if (drives(first, latest, plane)) return { lat: latest.lat, lon: latest.lon }
  const filters = SPEEDS.flatMap((speed) => NOISE.map((noise) => new Filter(speed, noise, first, plane)))
  let before = first
  for (const fix of rest) {
    for (const filter of filters) filter.add(fix, secondsBetween(before, fix))
    before = fix
  }
  const most = Math.max(...filters.map(({ logLikelihood }) => logLikelihood))
  let [total, east, north] = [0, 0, 0]
  for (const { logLikelihood, x, y } of filters) {
    const weight = Math.exp(logLikelihood - most)
    total += weight
    east += weight * x
    north += weight * y
  }
  const apart = Math.hypot(east, north) / total
  if (apart > FARTHEST * scaleOf(latest)) return { lat: latest.lat, lon: latest.lon }
  return plane.toCoordinates((PART * east) / total, (PART * north) / total)
}

/** Returns whether fixes are further apart than anyone walks, and than they are off. */
function drives(first: PastFix, latest: PastFix, plane: Plane): boolean {
  const place = toVector(first)
  const meters = Math.hypot(plane.east(place), plane.north(place))
  const deviation = Math.hypot(first.deviationMeters, latest.deviationMeters)
  return meters - deviation > FASTEST * secondsBetween(first, latest)
}

function secondsBetween(earlier: PastFix, later: PastFix): number {
  return Math.max(LEAST_SECONDS, (earlier.ageMs - later.ageMs) / 1_000)
}

function scaleOf({ deviationMeters }: PastFix): number {
  return deviationMeters ** POWER
}

/**
 * A Kalman filter of position and velocity, with the same variances on both axes. Velocities are kept for a while and have a standard
 * deviation that is given (Ornstein-Uhlenbeck). Fixes count with the weights of Student's t.
 */
class Filter {
  x: number
  y: number
  logLikelihood = 0
  private eastward = 0
  private northward = 0
  /** Variances of position and velocity on an axis, and their covariance. */
  private variance: number
  private covariance = 0
  private ofVelocity: number

  constructor(
    private readonly speed: number,
    private readonly noise: number,
    fix: PastFix,
    private readonly plane: Plane,
  ) {
    const { x, y, variance } = this.measured(fix)
    this.x = x
    this.y = y
    this.variance = variance
    this.ofVelocity = speed ** 2
  }

  add(fix: PastFix, seconds: number): void {
    this.wait(seconds)
    const { x, y, variance } = this.measured(fix)
    const [east, north, expected] = [x - this.x, y - this.y, this.variance + variance]
    const squared = (east ** 2 + north ** 2) / expected
    this.logLikelihood -= Math.log(expected) + ((DEGREES + 2) / 2) * Math.log(1 + squared / DEGREES)
    const weight = Math.min(1, (DEGREES + 2) / (DEGREES + squared))
    const whole = this.variance + variance / weight
    const [gain, gainOfVelocity] = [this.variance / whole, this.covariance / whole]
    this.x += gain * east
    this.y += gain * north
    this.eastward += gainOfVelocity * east
    this.northward += gainOfVelocity * north
    this.ofVelocity -= gainOfVelocity * this.covariance
    this.covariance -= gain * this.covariance
    this.variance -= gain * this.variance
  }

  private wait(seconds: number): void {
    const kept = Math.exp(-seconds / KEPT_SECONDS)
    const moving = KEPT_SECONDS * (1 - kept)
    const squaredSpeed = this.speed ** 2
    this.x += moving * this.eastward
    this.y += moving * this.northward
    this.eastward *= kept
    this.northward *= kept
    const strayed = 2 * KEPT_SECONDS * seconds - KEPT_SECONDS ** 2 * (3 - 4 * kept + kept ** 2)
    this.variance += 2 * moving * this.covariance + moving ** 2 * this.ofVelocity + squaredSpeed * strayed
    this.covariance =
      kept * (this.covariance + moving * this.ofVelocity) + squaredSpeed * KEPT_SECONDS * (1 - kept) ** 2
    this.ofVelocity = kept ** 2 * this.ofVelocity + squaredSpeed * (1 - kept ** 2)
  }

  private measured(fix: PastFix) {
    const place = toVector(fix)
    const variance = (this.noise * scaleOf(fix)) ** 2
    return { x: this.plane.east(place), y: this.plane.north(place), variance }
  }
}
