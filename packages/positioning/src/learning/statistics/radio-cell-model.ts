import type { KnownCell } from '../../cells/locate-cells.js'
import { fromQuadPlace } from '../../earth/quad-cell.js'
import { squaredDistance, toCoordinates, type Vector } from '../../earth/sphere.js'
import { cornerOf, edgeSteps } from './layer-of-cells.js'
import { SQUARE_LEVEL, type RadioCellStatistics } from './radio-cell-statistics.js'

/** No cell is heard further than this, in meters: what was heard beyond it belongs to another that has the same name, or is wrong. */
const FURTHEST_METERS = 35_000
/** Observations that count of those in one of the smallest squares: who stands still does not observe more. */
const MOST_IN_A_SQUARE = 2
/** Meters of a step, on average over the Earth. */
const STEP_METERS = 0.0081

/** A square as a point. */
export interface Spot {
  /** Of the square. */
  readonly key: number
  readonly place: Vector
  /** By accuracy and signal. */
  readonly weight: number
  /** Of its observations those that are independent, about. */
  readonly counted: number
  /** Variance of places in the square, on an axis, in m². */
  readonly variance: number
}

/**
 * Returns what statistics say of a radio cell: {@link cellOf} what was heard around where most was.
 *
 * @returns undefined where nothing was observed, or what was observed has no one place
 */
export function knownRadioCell(statistics: RadioCellStatistics): KnownCell | undefined {
  return cellOf(heardAround(statistics))
}

/**
 * Returns a radio cell by the squares that it was heard in: the mean of where, weighted by signal and accuracy, and how far from there.
 * The range is that of a disc whose places lie as far from its middle as the squares in which it was heard do, √2 times their
 * root mean square; each counts by how many independent observations it has, so that a device that stands still does not make
 * the cell small. Their sum is what the range is believed by.
 *
 * @returns undefined if there are none, or they have no one place
 */
export function cellOf(spots: readonly Spot[]): KnownCell | undefined {
  const place = meanOf(spots)
  if (!place) return undefined
  const samples = spots.reduce((sum, { counted }) => sum + counted, 0)
  const squared =
    spots.reduce(
      (sum, spot) => sum + spot.counted * (squaredDistance(spot.place, place) + 2 * spot.variance),
      0,
    ) / samples
  const rangeMeters = Math.sqrt(2 * squared)
  if (!(rangeMeters <= 2 * FURTHEST_METERS)) return undefined
  return { ...toCoordinates(place), rangeMeters, samples: Math.max(1, Math.round(samples)) }
}

/** Returns the squares of the neighborhood in which most was observed. */
export function heardAround({ observations, squares }: RadioCellStatistics): readonly Spot[] {
  return heaviestNeighborhood(spotsOf(observations, squares))
}

function spotsOf(observations: number, { level, cells }: RadioCellStatistics['squares']): Spot[] {
  const total = weightOf(cells)
  const variance = (edgeSteps(level) * STEP_METERS) ** 2 / 12
  const most = MOST_IN_A_SQUARE * 4 ** (level - SQUARE_LEVEL)
  return cells.map(({ key, weight, i, j }) => {
    const corner = cornerOf(key, level)
    const place = fromQuadPlace({ face: corner.face, i: corner.i + i / weight, j: corner.j + j / weight })
    return { key, place, weight, variance, counted: Math.min(most, (observations * weight) / total) }
  })
}

/** Returns what lies around the square around which most was observed. */
function heaviestNeighborhood(spots: readonly Spot[]): readonly Spot[] {
  let heaviest: readonly Spot[] = []
  let most = 0
  for (const { place } of spots) {
    const near = spots.filter((spot) => squaredDistance(spot.place, place) <= FURTHEST_METERS ** 2)
    const weight = weightOf(near)
    if (weight > most) [heaviest, most] = [near, weight]
  }
  return heaviest
}

function meanOf(spots: readonly Spot[]): Vector | undefined {
  if (spots.length === 0) return undefined
  const total = weightOf(spots)
  const mean = (pick: (place: Vector) => number) =>
    spots.reduce((sum, { place, weight }) => sum + weight * pick(place), 0) / total
  return { x: mean(({ x }) => x), y: mean(({ y }) => y), z: mean(({ z }) => z) }
}

function weightOf(parts: readonly { readonly weight: number }[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0)
}
