import { squaredDistance, type Vector } from './sphere.js'

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
  const shares = witnesses.map(({ weight }) => weight)
  let place = mean(witnesses, shares)
  for (let step = 0; step < MEDIAN_STEPS; step++) {
    witnesses.forEach((witness, index) => {
      shares[index] =
        witness.weight / Math.sqrt(Math.max(MEDIAN_FLOOR, squaredDistance(witness.place, place)))
    })
    place = mean(witnesses, shares)
  }
  for (let step = 0; step < MEAN_STEPS; step++) {
    witnesses.forEach((witness, index) => {
      const deviation = squaredDistance(witness.place, place) / witness.variance
      shares[index] = (witness.weight * (DEGREES_OF_FREEDOM + 2)) / (DEGREES_OF_FREEDOM + deviation)
    })
    place = mean(witnesses, shares)
  }
  return { place, shares }
}

/** The weighted mean. Scales the weights to a sum of 1. */
function mean(witnesses: readonly Witness[], shares: number[]): Vector {
  const total = shares.reduce((sum, share) => sum + share, 0)
  let [x, y, z] = [0, 0, 0]
  witnesses.forEach(({ place }, index) => {
    const share = (shares[index] ?? 0) / total
    shares[index] = share
    x += share * place.x
    y += share * place.y
    z += share * place.z
  })
  return { x, y, z }
}
