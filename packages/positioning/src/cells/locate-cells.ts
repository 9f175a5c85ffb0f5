import { densestNeighborhood } from '../earth/densest-neighborhood.js'
import { squaredDistance, toCoordinates, toVector, type Coordinates, type Vector } from '../earth/sphere.js'

/** A radio cell whose position is known. */
export interface KnownCell extends Coordinates {
  /** Distance from its position within which it is received, in meters; 0 if that is not known. */
  readonly rangeMeters: number
  /** Number of observations behind this, at least 1. */
  readonly samples: number
}

/** Position of a device according to its cells. */
export interface CellEstimate extends Coordinates {
  /** Radius in meters that holds the truth as often as asked for, if the truth is anywhere in the cells. */
  readonly radiusMeters: number
  /** Number of cells that agreed. */
  readonly used: number
}

/** No cell is heard further than this, in meters: cells that lie further apart were not heard in one place. */
const FURTHEST_METERS = 35_000
/** No cell is believed to be smaller than this, in meters. */
const LEAST_METERS = 300
/** The range of a cell before anything is observed of it, in meters, and how many observations that counts. */
const PRIOR = { meters: 3_000, samples: 3 } as const

interface Candidate {
  readonly cell: KnownCell
  readonly place: Vector
  /** Variance of where in the cell a device is, on an axis, in m². */
  readonly variance: number
}

/**
 * Returns where a device is that receives cells: the mean of their positions, weighted with 1 / range².
 *
 * A device may be anywhere in a cell. Spread evenly over a disc of radius r, it has a variance of r² / 4 on an axis. A range
 * that few have observed is too small, since the furthest places are found last; so r² = (n · range² + 3 · 3000²) / (n + 3).
 * Cells of one site cover the same ground and are wrong together, so more of them are not more exact than the harmonic mean
 * of their variances (covariance intersection, Julier and Uhlmann 1997, with equal shares), to which the scatter of their
 * positions is added. The radius is that of a normal distribution with that variance: √(−2 ln(1 − p) · variance).
 *
 * @param cells each once; of those that lie further apart than 35 km the largest group counts
 * @param confidence 50 to 99, in percent
 * @param explanation receives those of the cells that agreed
 * @returns undefined where there are no cells
 */
export function locateCells(
  cells: readonly KnownCell[],
  confidence: number,
  explanation?: { used: readonly KnownCell[] },
): CellEstimate | undefined {
  const agreeing = densestNeighborhood(cells.map(candidateOf), FURTHEST_METERS)
  if (agreeing.length === 0) return undefined
  if (explanation) explanation.used = agreeing.map(({ cell }) => cell)
  const total = agreeing.reduce((sum, { variance }) => sum + 1 / variance, 0)
  const weighted = (pick: (candidate: Candidate) => number) =>
    agreeing.reduce((sum, candidate) => sum + pick(candidate) / candidate.variance, 0) / total
  const place = {
    x: weighted((candidate) => candidate.place.x),
    y: weighted((candidate) => candidate.place.y),
    z: weighted((candidate) => candidate.place.z),
  }
  const scatter = weighted((candidate) => squaredDistance(candidate.place, place)) / 2
  const variance = agreeing.length / total + scatter
  const radiusMeters = Math.sqrt(-2 * Math.log(1 - confidence / 100) * variance)
  return { ...toCoordinates(place), radiusMeters, used: agreeing.length }
}

function candidateOf(cell: KnownCell): Candidate {
  const { rangeMeters, samples } = cell
  const observed = Math.max(LEAST_METERS, rangeMeters) ** 2
  // A range that is not known was not observed either.
  const count = rangeMeters > 0 ? samples : 0
  const squared = (count * observed + PRIOR.samples * PRIOR.meters ** 2) / (count + PRIOR.samples)
  return { cell, place: toVector(cell), variance: squared / 4 }
}
