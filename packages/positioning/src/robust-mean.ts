import type { Vector } from './sphere.js'

/** A place that something is thought to be near to. */
export interface Witness {
  readonly place: Vector
  /** How much it counts, before it is compared with the others; more than 0. */
  readonly weight: number
  /** How far it may well be off, as a variance in square metres; more than 0. */
  readonly variance: number
}

/** Degrees of freedom of Student's t: the fewer, the less what lies far away counts. Measured (see locate.ts). */
const DEGREES_OF_FREEDOM = 2
/** Steps to the weighted geometric median, which is where the search begins. */
const MEDIAN_STEPS = 8
/** Steps from there. Changes are below a centimetre after 5 or 6. */
const MEAN_STEPS = 8
/** The median's weights are 1 / distance; below this many square metres they no longer grow. */
const MEDIAN_FLOOR = 1

/** Where witnesses say that something is, and how much each counted. */
export interface RobustMean {
  readonly place: Vector
  /** One for each witness, in order; they sum to 1. */
  readonly shares: Float64Array
}

/**
 * The mean of witnesses of whom some are badly wrong: iteratively reweighted least squares with the weights of Student's
 * t, (ν + 2) / (ν + d² / variance) in two dimensions, from the weighted geometric median (Weiszfeld's algorithm).
 *
 * @param witnesses at least one
 */
export function robustMean(witnesses: readonly Witness[]): RobustMean {
  const count = witnesses.length
  const packed = pack(witnesses)
  const shares = new Float64Array(count)
  let x = 0
  let y = 0
  let z = 0
  for (let step = 0; step <= MEDIAN_STEPS + MEAN_STEPS; step++) {
    const weighting = step === 0 ? FIRST : step <= MEDIAN_STEPS ? MEDIAN : MEAN
    let total = 0
    let nextX = 0
    let nextY = 0
    let nextZ = 0
    for (let index = 0, at = 0; index < count; index++, at += FIELDS) {
      const ofX = packed[at] ?? 0
      const ofY = packed[at + 1] ?? 0
      const ofZ = packed[at + 2] ?? 0
      const squared = (ofX - x) * (ofX - x) + (ofY - y) * (ofY - y) + (ofZ - z) * (ofZ - z)
      let share = packed[at + 3] ?? 0
      if (weighting === MEDIAN) share /= Math.sqrt(Math.max(MEDIAN_FLOOR, squared))
      else if (weighting === MEAN)
        share *= (DEGREES_OF_FREEDOM + 2) / (DEGREES_OF_FREEDOM + squared / (packed[at + 4] ?? 1))
      shares[index] = share
      total += share
      nextX += share * ofX
      nextY += share * ofY
      nextZ += share * ofZ
    }
    x = nextX / total
    y = nextY / total
    z = nextZ / total
  }
  return { place: placeOf(witnesses, x, y, z), shares: scaled(shares) }
}

/** How witnesses are weighed in a step: as they come, by 1 / distance, or by Student's t. */
const [FIRST, MEDIAN, MEAN] = [0, 1, 2]

/** Numbers of a witness: x, y and z from the first witness's place in metres, weight, variance. */
const FIELDS = 5

/** One array of plain numbers: 16 passes over objects would take three times as long. */
function pack(witnesses: readonly Witness[]): Float64Array {
  const packed = new Float64Array(witnesses.length * FIELDS)
  const origin = witnesses[0]?.place ?? NOWHERE
  let at = 0
  for (const { place, weight, variance } of witnesses) {
    packed[at] = place.x - origin.x
    packed[at + 1] = place.y - origin.y
    packed[at + 2] = place.z - origin.z
    packed[at + 3] = weight
    packed[at + 4] = variance
    at += FIELDS
  }
  return packed
}

const NOWHERE: Vector = { x: 0, y: 0, z: 0 }

function placeOf(witnesses: readonly Witness[], x: number, y: number, z: number): Vector {
  const origin = witnesses[0]?.place ?? NOWHERE
  return { x: origin.x + x, y: origin.y + y, z: origin.z + z }
}

/** To a sum of 1. */
function scaled(shares: Float64Array): Float64Array {
  let total = 0
  for (const share of shares) total += share
  return shares.map((share) => share / total)
}
