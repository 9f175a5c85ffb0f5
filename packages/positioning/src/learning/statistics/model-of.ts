import { BAND_FIELDS, BANDS, type AccessPointModel } from '../../access-points/access-point-model.js'
import { Plane } from '../../earth/plane.js'
import { fromQuadPlace } from '../../earth/quad-cell.js'
import { PATH_LOSS_EXPONENT, SOURCE_HEIGHT_SQUARED } from '../../fields/signal-model.js'
import { observationWeight } from '../../access-points/signal-weight.js'
import { squaredDistance, toCoordinates, toVector, type Vector } from '../../earth/sphere.js'
import { homeOf, type Home } from './home.js'
import { cornerOf, edgeSteps, type Cell } from './layer-of-cells.js'
import { WHOLE_WEIGHT, type AccessPointStatistics } from './statistics.js'

/** Meters of a step, on average over the Earth. */
const STEP_METERS = 0.0081
/** Edges of a cell of level 0, about, in meters. */
const CELL_METERS = 4
/** Observations that count of those in 4 m × 4 m: who stands still does not observe more. */
const MOST_IN_A_CELL = 2
/** Assumed signal of an access point at 1 m, in dBm; counts as one cell. */
const PRIOR_SOURCE_DBM = -35

/** A cell as a point. */
interface Spot {
  readonly band: number
  readonly place: Vector
  /** Observations, after aging. */
  readonly count: number
  /** Of them those that are independent. */
  readonly counted: number
  readonly signalDbm: number
  /** Variance of places in the cell, on an axis, in m². */
  readonly variance: number
}

interface FlatSpot extends Spot {
  readonly east: number
  readonly north: number
}

/**
 * Returns a model of statistics, ready for queries: the weighted mean of the places where the access point was heard, mean and
 * variance for each band, and the cells themselves. Observations in former homes are left out.
 *
 * @returns undefined where nothing was observed
 */
export function modelOf(statistics: AccessPointStatistics): AccessPointModel | undefined {
  const home = homeOf(statistics)
  if (!home) return undefined
  const spots = spotsOf(statistics, home)
  if (spots.length === 0) return undefined
  const weights = spots.map(({ count, signalDbm }) => count * observationWeight(signalDbm))
  const mean = meanOf(spots, weights)
  const plane = new Plane(mean)
  const flat = spots.map((spot) => ({
    ...spot,
    east: plane.east(spot.place),
    north: plane.north(spot.place),
  }))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const squares = flat.reduce(
    (sum, { east, north, variance }, index) =>
      sum + (weights[index] ?? 0) * (east ** 2 + north ** 2 + 2 * variance),
    0,
  )
  return {
    ...toCoordinates(mean),
    spreadMeters: Math.sqrt(squares / total),
    observations: spots.reduce((sum, { count }) => sum + count, 0),
    moving: home.moving,
    bands: bandsOf(flat),
    cells: Float64Array.from(
      flat.flatMap(({ east, north, signalDbm, count, variance }) => [
        east,
        north,
        signalDbm,
        count,
        variance,
      ]),
    ),
    source: sourceOf(flat),
  }
}

function spotsOf({ bands }: AccessPointStatistics, { place, radiusMeters }: Home): Spot[] {
  return bands
    .flatMap(({ level, cells }, band) => cells.map((cell) => spotOf(cell, level, band)))
    .filter((spot) => squaredDistance(spot.place, place) <= radiusMeters ** 2)
}

function spotOf({ key, weight, signal, i, j }: Cell, level: number, band: number): Spot {
  const corner = cornerOf(key, level)
  const edge = edgeSteps(level) * STEP_METERS
  const count = weight / WHOLE_WEIGHT
  return {
    band,
    place: fromQuadPlace({ face: corner.face, i: corner.i + i / weight, j: corner.j + j / weight }),
    count,
    counted: Math.min(count, MOST_IN_A_CELL * Math.max(1, (edge / CELL_METERS) ** 2)),
    signalDbm: signal / weight,
    variance: edge ** 2 / 12,
  }
}

function meanOf(spots: readonly Spot[], weights: readonly number[]): Vector {
  let [x, y, z] = [0, 0, 0]
  spots.forEach(({ place }, index) => {
    const weight = weights[index] ?? 0
    x += weight * place.x
    y += weight * place.y
    z += weight * place.z
  })
  return toVector(toCoordinates({ x, y, z }))
}

function bandsOf(spots: readonly FlatSpot[]): Float64Array {
  const bands = new Float64Array(BANDS * BAND_FIELDS)
  for (let band = 0; band < BANDS; band++) {
    const own = spots.filter((spot) => spot.band === band)
    const total = own.reduce((sum, { counted }) => sum + counted, 0)
    if (total === 0) continue
    const mean = (pick: (spot: FlatSpot) => number) =>
      own.reduce((sum, spot) => sum + spot.counted * pick(spot), 0) / total
    const east = mean((spot) => spot.east)
    const north = mean((spot) => spot.north)
    const variance = mean((spot) => ((spot.east - east) ** 2 + (spot.north - north) ** 2) / 2 + spot.variance)
    bands.set([total, east, north, variance], band * BAND_FIELDS)
  }
  return bands
}

/** Returns the power-weighted mean of the cells, and the signal at 1 m that fits all of them. */
function sourceOf(spots: readonly FlatSpot[]): AccessPointModel['source'] {
  const strongest = Math.max(...spots.map(({ signalDbm }) => signalDbm))
  let [east, north, power] = [0, 0, 0]
  for (const spot of spots) {
    const share = 10 ** ((spot.signalDbm - strongest) / 10)
    power += share
    east += share * spot.east
    north += share * spot.north
  }
  east /= power
  north /= power
  let [sent, total] = [0, 0]
  for (const spot of spots) {
    const squared = (spot.east - east) ** 2 + (spot.north - north) ** 2 + SOURCE_HEIGHT_SQUARED
    const weight = Math.sqrt(spot.count)
    total += weight
    sent += weight * (spot.signalDbm + 5 * PATH_LOSS_EXPONENT * Math.log10(squared))
  }
  const signalDbm = ((sent / total) * spots.length + PRIOR_SOURCE_DBM) / (spots.length + 1)
  return { east, north, signalDbm }
}
