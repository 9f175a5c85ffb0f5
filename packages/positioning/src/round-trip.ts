import { ANYTHING, Errors, SURROUNDINGS, type Surroundings } from './distance-errors.js'
import { Plane } from './plane.js'
import { toVector, type Coordinates } from './sphere.js'

/**
 * A distance that a device has measured by the round-trip times of frames (IEEE 802.11mc and az), to an access point whose place its
 * owner has surveyed.
 */
export interface MeasuredDistance {
  readonly bssid: number
  /** Where the access point is. */
  readonly place: Coordinates
  /** In meters; close to the access point it may be less than 0. */
  readonly meters: number
  /** Standard deviation of the single measurements in meters, if the device says so. */
  readonly deviationMeters?: number | undefined
}

/** Where a scan was taken by everything else, with the radii in meters that hold the truth in 68 and in 95 % of cases. */
export interface FixBefore extends Coordinates {
  readonly radius68: number
  readonly radius95: number
}

/** The same with distances. */
export interface RangedFix extends Coordinates {
  /** Radius in meters that holds the truth as often as asked for. */
  readonly radiusMeters: number
  /** BSSIDs whose distances count. */
  readonly used: readonly number[]
}

/** Access points that have to agree: of a single distance nothing says whether it is right. */
const LEAST = 2
/** The most distances that are used, the shortest: walls are behind the others. */
const MOST = 12
/** With more distances than this, one alone spoils little. */
const MOST_LEFT_OUT = 6
/** Access points that are closer together are one: what bends one distance bends the other, too. In meters. */
const ONE_PLACE_METERS = 1
/** How far access points hang above devices, in meters. */
const HEIGHT_METERS = 1.5
/** Degrees of freedom of Student's t, by which the fix without distances is off on a plane. */
const DEGREES = 2
/** Radii of 68 and 95 % of that distribution, of a scale of 1. */
const [RADIUS_68, RADIUS_95] = [radiusOf(0.68), radiusOf(0.95)]

/** Nodes on each side of the grid, an odd number: one is in the middle. */
const SIDE = 21
/** The grid is laid closer around what is probable until its nodes are this near to each other, at most so many times. */
const FINE = { meters: 0.5, layings: 7 } as const
/** What is less probable than the most probable node by this factor is left out of the next grid. */
const IMPROBABLE = 1e-4
/** How far from the fix without distances the grid reaches: so many scales of it, and as far as distances reach, up to so many meters. */
const REACH = { scales: 6, mostMeters: 300 } as const

function radiusOf(share: number): number {
  return Math.sqrt(DEGREES * ((1 - share) ** (-2 / DEGREES) - 1))
}

/**
 * Returns where a device is by distances to surveyed access points and by the fix without them: the mean of the posterior, which is
 * computed on a grid (Horn, Applied Sciences 14(17) 7805, 2024), since circles meet twice, and walls make distances longer and never
 * shorter. The radius is that of the posterior.
 *
 * An access point that was moved spoils the fix without distances as well. So if distances contradict each other, each of them is left
 * out with its part in the fix, and what is the most probable counts.
 *
 * @param distances in any order; of access points at one place the shortest counts
 * @param confidence 50 to 99, in percent
 * @param without returns the fix without an access point, or undefined if there is none
 * @returns undefined if they say nothing: fewer than two agree, more disagree than agree, or they are off by more than walls explain
 */
export function rangedFix(
  fix: FixBefore,
  distances: readonly MeasuredDistance[],
  confidence: number,
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
  return {
    ...plane.toCoordinates(mean.x, mean.y),
    radiusMeters: posterior.radius(mean, confidence / 100),
    used: used.map(({ bssid }) => bssid),
  }
}

function mostProbable(
  ranges: readonly Range[],
  all: Posterior,
  without: (bssid: number) => Prior | undefined,
): Posterior {
  if (ranges.length <= LEAST || ranges.length > MOST_LEFT_OUT || all.isInSight) return all
  let best = all
  let most = all.evidence
  for (const { bssid } of ranges) {
    const prior = without(bssid)
    if (!prior) continue
    const rest = ranges.filter((range) => range.bssid !== bssid)
    const one = new Posterior(rest, prior)
    const evidence = ANYTHING * one.evidence
    if (evidence <= most) continue
    best = one
    most = evidence
  }
  return best
}

/** Where a device is without distances, on the plane: the middle, and the scale of Student's t, in meters. */
interface Prior extends Spot {
  readonly scale: number
}

function priorOf(fix: FixBefore, plane: Plane): Prior {
  const vector = toVector(fix)
  const scale = Math.max(fix.radius68 / RADIUS_68, fix.radius95 / RADIUS_95)
  return { x: plane.east(vector), y: plane.north(vector), scale }
}

/** A distance on the plane of a fix. */
interface Range {
  readonly bssid: number
  readonly east: number
  readonly north: number
  readonly meters: number
  /** Of the measurements, in m². */
  readonly variance: number
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

/** Returns by how much a distance is too long for a device at a place, in meters. */
function excess({ east, north, meters }: Range, x: number, y: number): number {
  return meters - Math.sqrt((east - x) ** 2 + (north - y) ** 2 + HEIGHT_METERS ** 2)
}

interface Spot {
  readonly x: number
  readonly y: number
}

/** Where a device may be, and how probably, on a square grid; in meters from the fix without distances. */
class Posterior {
  private west = 0
  private south = 0
  private step = 0
  private best = 0
  private readonly weights = new Float64Array(SIDE * SIDE)
  private readonly product = new Float64Array(SIDE * SIDE)
  /** The most probable ones. */
  private surroundings: Surroundings = SURROUNDINGS[0]

  constructor(
    private readonly ranges: readonly Range[],
    private readonly prior: Prior,
  ) {
    const reach = Math.max(
      ...ranges.map(({ east, north, meters }) => Math.hypot(east - prior.x, north - prior.y) + meters),
    )
    let half = Math.max(REACH.scales * prior.scale, Math.min(reach, REACH.mostMeters))
    let middle: Spot = prior
    for (let laying = 1; ; laying++) {
      this.lay(middle, half)
      if (this.step <= FINE.meters || laying === FINE.layings) break
      const probable = this.probable()
      if (probable.half > 0.9 * half) break
      ;({ half, middle } = probable)
    }
  }

  /** How probable all of it is, to compare it with others. */
  get evidence(): number {
    return (this.weights.reduce((sum, weight) => sum + weight, 0) * this.step ** 2) / this.prior.scale ** 2
  }

  /** Whether distances say something in such surroundings. */
  get areUsed(): boolean {
    return this.surroundings.areUsed
  }

  /** Whether all distances agree without detours. */
  get isInSight(): boolean {
    return this.surroundings === SURROUNDINGS[0] && this.agreeing.length === this.ranges.length
  }

  /** Distances that rather say something than nothing about a device at the most probable node. */
  get agreeing(): readonly Range[] {
    const { x, y } = this.spot(this.best)
    return this.ranges.filter((range) => {
      const errors = new Errors(this.surroundings, range.variance)
      return errors.density(excess(range, x, y)) > ANYTHING
    })
  }

  mean(): Spot {
    let [total, x, y] = [0, 0, 0]
    for (const [node, weight] of this.weights.entries()) {
      const spot = this.spot(node)
      total += weight
      x += weight * spot.x
      y += weight * spot.y
    }
    return { x: x / total, y: y / total }
  }

  /** Returns the radius around a place that holds a share of what is probable, in meters. */
  radius(middle: Spot, share: number): number {
    const nodes = Array.from(this.weights, (weight, node) => {
      const { x, y } = this.spot(node)
      return { weight, meters: Math.hypot(x - middle.x, y - middle.y) }
    }).sort((a, b) => a.meters - b.meters)
    const most = share * nodes.reduce((sum, { weight }) => sum + weight, 0)
    let held = 0
    for (const { weight, meters } of nodes) {
      held += weight
      if (held >= most) return Math.max(meters, this.step / 2)
    }
    return nodes.at(-1)?.meters ?? 0
  }

  private spot(node: number): Spot {
    return {
      x: this.west + this.step * (node % SIDE),
      y: this.south + this.step * Math.floor(node / SIDE),
    }
  }

  /** Lays the grid over a square. Between nodes that are far apart distances are less exact, so that none of them is overlooked. */
  private lay({ x, y }: Spot, half: number): void {
    this.step = (2 * half) / (SIDE - 1)
    this.west = x - half
    this.south = y - half
    this.best = 0
    this.weights.fill(0)
    let most = 0
    for (const surroundings of SURROUNDINGS) {
      const sum = this.add(surroundings)
      if (sum <= most) continue
      most = sum
      this.surroundings = surroundings
    }
    for (const [node, weight] of this.weights.entries())
      if (weight > (this.weights[this.best] ?? 0)) this.best = node
  }

  /** Adds how probable all nodes are in one kind of surroundings, and returns the sum. */
  private add(surroundings: Surroundings): number {
    const { weights, product } = this
    for (let node = 0; node < product.length; node++)
      product[node] = surroundings.probability * this.before(this.spot(node))
    for (const range of this.ranges) {
      const errors = new Errors(surroundings, range.variance + this.step ** 2 / 4)
      for (let node = 0; node < product.length; node++) {
        const { x, y } = this.spot(node)
        product[node] = (product[node] ?? 0) * (errors.density(excess(range, x, y)) + ANYTHING)
      }
    }
    let sum = 0
    for (const [node, weight] of product.entries()) {
      sum += weight
      weights[node] = (weights[node] ?? 0) + weight
    }
    return sum
  }

  /** How probable a place is without distances. */
  private before({ x, y }: Spot): number {
    const { prior } = this
    const squared = ((x - prior.x) ** 2 + (y - prior.y) ** 2) / prior.scale ** 2
    return (1 + squared / DEGREES) ** (-(DEGREES + 2) / 2)
  }

  /** Returns the smallest square that holds all nodes that are not improbable, and half of its side. */
  private probable(): { readonly middle: Spot; readonly half: number } {
    const least = IMPROBABLE * (this.weights[this.best] ?? 0)
    let [west, east, south, north] = [SIDE, 0, SIDE, 0]
    for (const [node, weight] of this.weights.entries()) {
      if (weight < least) continue
      const [column, row] = [node % SIDE, Math.floor(node / SIDE)]
      west = Math.min(west, column)
      east = Math.max(east, column)
      south = Math.min(south, row)
      north = Math.max(north, row)
    }
    return {
      middle: {
        x: this.west + (this.step * (west + east)) / 2,
        y: this.south + (this.step * (south + north)) / 2,
      },
      half: this.step * (Math.max(east - west, north - south) / 2 + 1),
    }
  }
}
