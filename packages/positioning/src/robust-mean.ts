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
  readonly shares: readonly number[]
}

/**
 * The mean of witnesses of whom some are badly wrong: iteratively reweighted least squares with the weights of Student's
 * t, (ν + 2) / (ν + d² / variance) in two dimensions, from the weighted geometric median (Weiszfeld's algorithm).
 *
 * @param witnesses at least one
 */
export function robustMean(witnesses: readonly Witness[]): RobustMean {
  const end = witnesses.length * FIELDS
  const packed = pack(witnesses)
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
  const shares = witnesses.map((_, index) => (packed[index * FIELDS + 5] ?? 0) / total)
  return { place: placeOf(witnesses, x, y, z), shares }
}

/** How witnesses are weighed in a step: as they come, by 1 / distance, or by Student's t. */
const [FIRST, MEDIAN, MEAN] = [0, 1, 2]

/** Numbers of a witness: x, y and z from the first witness's place in metres, weight, variance, share. */
const FIELDS = 6

/** Where the witnesses of a call are packed, made anew where there are more: to make it each time took a third of the time. */
let room = new Float64Array(20 * FIELDS)

/** One array of plain numbers: 16 passes over objects would take three times as long. */
function pack(witnesses: readonly Witness[]): Float64Array {
  if (room.length < witnesses.length * FIELDS) room = new Float64Array(witnesses.length * FIELDS)
  const origin = witnesses[0]?.place ?? NOWHERE
  let at = 0
  for (const { place, weight, variance } of witnesses) {
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

function placeOf(witnesses: readonly Witness[], x: number, y: number, z: number): Vector {
  const origin = witnesses[0]?.place ?? NOWHERE
  return { x: origin.x + x, y: origin.y + y, z: origin.z + z }
}
