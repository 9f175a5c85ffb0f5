import type { Vector } from './sphere.js'

/** A place that something is thought to be near to. */
export interface Evidence {
  readonly place: Vector
  /** How much it counts, before it is compared with the others; more than 0. */
  readonly weight: number
  /** How far it may well be off, as a variance in square meters; more than 0. */
  readonly variance: number
}

/** Degrees of freedom of Student's t: the fewer, the less what lies far away counts. Measured (see locate.ts). */
const DEGREES_OF_FREEDOM = 2
/** Steps to the weighted geometric median, which is where the search begins. */
const MEDIAN_STEPS = 8
/** Steps from there. Changes are below a centimeter after 5 or 6. */
const MEAN_STEPS = 8
/** The median's weights are 1 / distance; below this many square meters they no longer grow. */
const MEDIAN_FLOOR = 1

/** A position from evidence, and how much each counted. */
export interface RobustMean {
  readonly place: Vector
  /** One for each piece of evidence, in order; they sum to 1. */
  readonly shares: readonly number[]
}

/**
 * Returns the mean of evidence, some of which is badly wrong: iteratively reweighted least squares with the weights of Student's
 * t, (ν + 2) / (ν + d² / variance) in two dimensions, from the weighted geometric median (Weiszfeld's algorithm).
 *
 * @param evidence at least one
 */
export function robustMean(evidence: readonly Evidence[]): RobustMean {
  const end = evidence.length * FIELDS
  const packed = pack(evidence)
  let x = 0
  let y = 0
  let z = 0
  let total = 0
  for (let step = 0; step <= MEDIAN_STEPS + MEAN_STEPS; step++) {
    const weighting = step === 0 ? FIRST : step <= MEDIAN_STEPS ? MEDIAN : MEAN
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
    x = nextX / total
    y = nextY / total
    z = nextZ / total
  }
  const shares = evidence.map((_, index) => (packed[index * FIELDS + 5] ?? 0) / total)
  return { place: placeOf(evidence, x, y, z), shares }
}

/** How evidence is weighted in a step: as it comes, by 1 / distance, or by Student's t. */
const [FIRST, MEDIAN, MEAN] = [0, 1, 2]

/** Numbers of a piece of evidence: x, y and z from the place of the first one in meters, weight, variance, share. */
const FIELDS = 6

/** Scratch memory for the evidence of a call, created again if there is more: creating it each time took a third of the time. */
let room = new Float64Array(20 * FIELDS)

/** One array of plain numbers: 16 passes over objects would take three times as long. */
function pack(evidence: readonly Evidence[]): Float64Array {
  if (room.length < evidence.length * FIELDS) room = new Float64Array(evidence.length * FIELDS)
  const origin = evidence[0]?.place ?? NOWHERE
  let at = 0
  for (const { place, weight, variance } of evidence) {
    room[at] = place.x - origin.x
    room[at + 1] = place.y - origin.y
    room[at + 2] = place.z - origin.z
    room[at + 3] = weight
    room[at + 4] = variance
    at += FIELDS
  }
  return room
}

const NOWHERE: Vector = { x: 0, y: 0, z: 0 }

function placeOf(evidence: readonly Evidence[], x: number, y: number, z: number): Vector {
  const origin = evidence[0]?.place ?? NOWHERE
  return { x: origin.x + x, y: origin.y + y, z: origin.z + z }
}
