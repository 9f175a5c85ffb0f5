import type { Coordinates } from '../earth/sphere.js'

/** Weakest signal of each band but the last one, in dBm. */
const BAND_EDGES_DBM = [-60, -70, -80, -90] as const
/** A signal strength in the middle of each band, in dBm. */
export const BAND_CENTERS_DBM = [-54, -65, -75, -85, -93] as const
/** Number of bands. */
export const BANDS = BAND_CENTERS_DBM.length

/** Returns the band of a signal strength: 0, the strongest, to 4. */
export function bandOf(signalDbm: number): number {
  return BAND_EDGES_DBM.reduce((band, edge) => (signalDbm < edge ? band + 1 : band), 0)
}

/** An access point whose position is known. */
export interface KnownAccessPoint extends Coordinates {
  /** Weighted root mean square of the distances between its observations and its position, in meters. */
  readonly spreadMeters: number
  /** Number of observations that the position comes from, at least 1. */
  readonly observations: number
  /** True if its owner has declared the position. Missing: it was observed, or this is no longer known. */
  readonly isDeclared?: boolean | undefined
}

/**
 * Learned model of the area in which an access point is received. `learning/model-of.ts` computes it from the statistics, so
 * that a query adds nothing up; it has plain numbers, so that it can be stored and sent anywhere.
 *
 * Meters are to the east and to the north of its position, which is the mean of the places where it was received.
 */
export interface AccessPointModel extends KnownAccessPoint {
  /** Place that its owner has declared, if it is received near there. Measured distances count from this place. */
  readonly declared?: Coordinates | undefined
  /** Probability that it moves, 0 to 1. Its evidence counts by so much less. */
  readonly moving: number
  /** For each band {@link BAND_FIELDS} numbers: observations that count, mean east, mean north, variance on an axis in m². */
  readonly bands: Float64Array
  /** For each cell {@link CELL_FIELDS} numbers: east, north, mean signal in dBm, observations that count, variance in it in m². */
  readonly cells: Float64Array
  /** Origin of path loss, and the signal in dBm at 1 m from it. */
  readonly source: { readonly east: number; readonly north: number; readonly signalDbm: number }
}

export const BAND_FIELDS = 4
export const CELL_FIELDS = 5

/** An access point as it is known: learned, or only an imported position. */
export type Knowledge = KnownAccessPoint | AccessPointModel

/** Returns where its owner has declared an access point; undefined if that is not known. */
export function declaredPlaceOf(known: Knowledge): Coordinates | undefined {
  if (isLearned(known)) return known.declared
  return known.isDeclared ? known : undefined
}

/** Returns whether more than a position is known. */
export function isLearned(known: Knowledge): known is AccessPointModel {
  return 'cells' in known
}
