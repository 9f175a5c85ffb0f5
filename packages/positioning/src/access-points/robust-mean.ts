import type { Vector } from '../earth/sphere.js'

/** Degrees of freedom of Student's t: the fewer, the less what lies far away counts. Measured (see locate.ts). */
const DEGREES_OF_FREEDOM = 2
/** Steps to the weighted geometric median at most, which is where the search begins. */
const MEDIAN_STEPS = 8
/** Steps from there, at most. */
const MEAN_STEPS = 8
/** Squared length of a step in square meters, below which no further one is taken: 1 m to the median, 1 cm from there. */
const SETTLED = { median: 1, mean: 1e-4 } as const
/** The median's weights are 1 / distance; below this many square meters they no longer grow. */
const MEDIAN_FLOOR = 1

/** Weights of evidence in a step: as it comes, by 1 / distance, or by Student's t. */
const [FIRST, MEDIAN, MEAN] = [0, 1, 2]

/** Numbers of a piece of evidence: x, y and z from the place of the first one in meters, weight, variance, share. */
const FIELDS = 6

/**
 * The mean of evidence, some of which is badly wrong: iteratively reweighted least squares with the weights of Student's
 * t, (ν + 2) / (ν + d² / variance) in two dimensions, from the weighted geometric median (Weiszfeld's algorithm).
 *
 * All of its numbers are in one array that is reused: 16 passes over objects would take three times as long, and objects or an array for
 * each scan a third of the time.
 */
export class RobustMean {
  private readonly numbers: Float64Array
  private end = 0
  private origin: Vector = { x: 0, y: 0, z: 0 }
  private total = 1

  /** @param most pieces of evidence that it has room for */
  constructor(most: number) {
    this.numbers = new Float64Array(most * FIELDS)
  }

  /** Begins another mean. */
  clear(): void {
    this.end = 0
  }

  /**
   * Adds a place that something is thought to be near to, in meters from the center of the Earth. No more than the room that was asked for.
   *
   * @param weight how much it counts, before it is compared with the others; more than 0
   * @param variance how far it may well be off, in square meters; more than 0
   */
  add(x: number, y: number, z: number, weight: number, variance: number): void {
    if (this.end === 0) this.origin = { x, y, z }
    const { numbers, origin, end } = this
    numbers[end] = x - origin.x
    numbers[end + 1] = y - origin.y
    numbers[end + 2] = z - origin.z
    numbers[end + 3] = weight
    numbers[end + 4] = variance
    this.end += FIELDS
  }

  /** Returns the mean of at least one piece of evidence. */
  place(): Vector {
    const { numbers: packed, end, origin } = this
    let x = 0
    let y = 0
    let z = 0
    let total: number
    let weighting: number = FIRST
    let left = MEDIAN_STEPS
    for (;;) {
      total = 0
      let nextX = 0
      let nextY = 0
      let nextZ = 0
      for (let at = 0; at < end; at += FIELDS) {
        const ofX = packed[at] ?? 0
        const ofY = packed[at + 1] ?? 0
        const ofZ = packed[at + 2] ?? 0
        const squared = (ofX - x) * (ofX - x) + (ofY - y) * (ofY - y) + (ofZ - z) * (ofZ - z)
        let share = packed[at + 3] ?? 0
        if (weighting === MEDIAN) share /= Math.sqrt(Math.max(MEDIAN_FLOOR, squared))
        else if (weighting === MEAN)
          share *= (DEGREES_OF_FREEDOM + 2) / (DEGREES_OF_FREEDOM + squared / (packed[at + 4] ?? 1))
        packed[at + 5] = share
        total += share
        nextX += share * ofX
        nextY += share * ofY
        nextZ += share * ofZ
      }
      nextX /= total
      nextY /= total
      nextZ /= total
      const squared = (nextX - x) ** 2 + (nextY - y) ** 2 + (nextZ - z) ** 2
      x = nextX
      y = nextY
      z = nextZ
      if (weighting === FIRST) weighting = MEDIAN
      else if (weighting === MEDIAN) {
        if (--left > 0 && squared >= SETTLED.median) continue
        weighting = MEAN
        left = MEAN_STEPS
      } else if (--left === 0 || squared < SETTLED.mean) break
    }
    this.total = total
    return { x: origin.x + x, y: origin.y + y, z: origin.z + z }
  }

  /** Returns how much a piece of evidence counted in the mean; all of them sum to 1. */
  shareOf(index: number): number {
    return (this.numbers[index * FIELDS + 5] ?? 0) / this.total
  }
}
