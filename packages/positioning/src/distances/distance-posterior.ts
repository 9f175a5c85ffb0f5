import { ANYTHING, Errors, SURROUNDINGS, type Surroundings } from './distance-errors.js'

/** A place on the plane of a fix, in meters. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** Position of a device without distances: the middle, and the scale of Student's t, in meters. */
export interface Prior extends Spot {
  readonly scale: number
}

/** A distance to an access point. */
export interface Range {
  readonly bssid: number
  readonly east: number
  readonly north: number
  readonly meters: number
  /** Of the measurements, in m². */
  readonly variance: number
}

/** Degrees of freedom of Student's t, by which the fix without distances is off on a plane. */
export const DEGREES = 2
/** Height of access points above devices, in meters. */
const HEIGHT_METERS = 1.5
/** Reach of squares from the prior: so many scales of it, and as far as distances reach, up to so many meters. */
const REACH = { scales: 6, mostMeters: 300 } as const
/** Squares on each side at first. */
const FIRST = 10
/** Squares of this side are not divided, in meters, nor are they if so many of them are probable. */
const FINE = { meters: 0.8, squares: 128 } as const
/** Squares that are less probable than the most probable one by this factor are left out. */
const IMPROBABLE = 3e-4

interface Square extends Spot {
  weight: number
}

/** Possible positions of a device with probabilities: squares, which are divided into four as long as they are large and probable. */
export class Posterior {
  private squares: readonly Square[]
  private step: number
  private most: Square = squareAt(0, 0)
  private surroundings: Surroundings = SURROUNDINGS[0]

  /** @param ranges at least one */
  constructor(
    private readonly ranges: readonly Range[],
    private readonly prior: Prior,
  ) {
    const reach = Math.max(
      ...ranges.map(({ east, north, meters }) => Math.hypot(east - prior.x, north - prior.y) + meters),
    )
    const side = 2 * Math.max(REACH.scales * prior.scale, Math.min(reach, REACH.mostMeters))
    this.step = side / FIRST
    this.squares = Array.from({ length: FIRST ** 2 }, (_, index) =>
      squareAt(
        prior.x - side / 2 + this.step * ((index % FIRST) + 0.5),
        prior.y - side / 2 + this.step * (Math.floor(index / FIRST) + 0.5),
      ),
    )
    for (;;) {
      this.weigh()
      const least = IMPROBABLE * this.most.weight
      this.squares = this.squares.filter(({ weight }) => weight > least)
      if (this.step <= FINE.meters || this.squares.length > FINE.squares) return
      this.divide()
    }
  }

  /** Probability of all of it, to compare it with others. */
  get evidence(): number {
    return (this.total * this.step ** 2) / this.prior.scale ** 2
  }

  /** True if distances say something in such surroundings. */
  get areUsed(): boolean {
    return this.surroundings.areUsed
  }

  /** True if distances in such surroundings are mostly as long as they should be. */
  get isInSight(): boolean {
    return this.surroundings.isInSight
  }

  /** Distances that rather say something than nothing about a device at the most probable place. */
  get agreeing(): readonly Range[] {
    return this.ranges.filter((range) => this.densityOf(range) > ANYTHING)
  }

  /** Returns how probable a distance is for a device at the most probable place, for each meter. */
  densityOf(range: Range): number {
    return new Errors(this.surroundings, range.variance).density(excess(range, this.most))
  }

  mean(): Spot {
    let [x, y] = [0, 0]
    for (const square of this.squares) {
      x += square.weight * square.x
      y += square.weight * square.y
    }
    return { x: x / this.total, y: y / this.total }
  }

  /** Returns the radius around a place that holds a share of what is probable, in meters. */
  radius({ x, y }: Spot, share: number): number {
    const nearest = this.squares
      .map((square) => ({ weight: square.weight, meters: Math.hypot(square.x - x, square.y - y) }))
      .sort((a, b) => a.meters - b.meters)
    let left = share * this.total
    const last = nearest.find(({ weight }) => (left -= weight) <= 0) ?? nearest.at(-1)
    return Math.max(last?.meters ?? 0, this.step / 2)
  }

  private get total(): number {
    return this.squares.reduce((sum, { weight }) => sum + weight, 0)
  }

  private divide(): void {
    const quarter = this.step / 4
    this.step /= 2
    this.squares = this.squares.flatMap(({ x, y }) => [
      squareAt(x - quarter, y - quarter),
      squareAt(x + quarter, y - quarter),
      squareAt(x - quarter, y + quarter),
      squareAt(x + quarter, y + quarter),
    ])
  }

  /** Weighs all squares. Of large ones distances are less exact, so that none of them is overlooked. */
  private weigh(): void {
    const { ranges, squares, step } = this
    const kinds = SURROUNDINGS.map((surroundings) => ({
      surroundings,
      errors: ranges.map(({ variance }) => new Errors(surroundings, variance + step ** 2 / 4)),
      sum: 0,
    }))
    this.most = squareAt(0, 0)
    const count = ranges.length
    const excesses = new Float64Array(count)
    for (const square of squares) {
      let at = 0
      for (const range of ranges) excesses[at++] = excess(range, square)
      const before = this.before(square)
      for (const kind of kinds) {
        let weight = kind.surroundings.probability * before
        // Iterators take three times as long.
        for (let index = 0; index < count; index++)
          weight *= (kind.errors[index]?.density(excesses[index] ?? 0) ?? 0) + ANYTHING
        kind.sum += weight
        square.weight += weight
      }
      if (square.weight > this.most.weight) this.most = square
    }
    const { surroundings } = kinds.reduce((best, kind) => (kind.sum > best.sum ? kind : best))
    this.surroundings = surroundings
  }

  /** Returns the probability of a place without distances. */
  private before({ x, y }: Spot): number {
    const { prior } = this
    const [east, north] = [x - prior.x, y - prior.y]
    const squared = (east * east + north * north) / (prior.scale * prior.scale)
    // To the power of −(DEGREES + 2) / 2.
    return 1 / ((1 + squared / DEGREES) * (1 + squared / DEGREES))
  }
}

function squareAt(x: number, y: number): Square {
  return { x, y, weight: 0 }
}

/** Returns by how much a distance is too long for a device at a place, in meters. */
function excess({ east, north, meters }: Range, { x, y }: Spot): number {
  return meters - Math.sqrt((east - x) ** 2 + (north - y) ** 2 + HEIGHT_METERS ** 2)
}
