import type { Coordinates } from '../earth/sphere.js'

/** Where one band of signal strengths ends and the next, weaker one begins, in dBm. */
const BAND_EDGES_DBM = [-60, -70, -80, -90] as const
/** A signal strength in the middle of each band, in dBm. */
export const BAND_CENTERS_DBM = [-54, -65, -75, -85, -93] as const
/** How many bands there are. */
export const BANDS = BAND_CENTERS_DBM.length

/** Returns the band of a signal strength: 0, the strongest, to 4. */
export function bandOf(signalDbm: number): number {
  return BAND_EDGES_DBM.reduce((band, edge) => (signalDbm < edge ? band + 1 : band), 0)
}

/** What is known of an access point. */
export interface KnownAccessPoint extends Coordinates {
  /** Weighted root mean square of the distances between its observations and its position, in meters. */
  readonly spreadMeters: number
  /** How many observations the position comes from, at least 1. */
  readonly observations: number
  /** Whether its owner has declared the position, instead of observed. Missing: no, or not known any more. */
  readonly isDeclared?: boolean | undefined
}

/**
 * What was learned about where an access point is heard, ready to be asked. Made from its statistics by
 * `learning/model-of.ts`, so that a query adds nothing up; plain numbers, so that it can be kept and sent anywhere.
 *
 * Meters are to the east and to the north of its position, which is the mean of where it was heard.
 */
export interface AccessPointModel extends KnownAccessPoint {
  /** Where its owner has declared it, if that is near where it is heard. Measured distances count from there. */
  readonly declared?: Coordinates | undefined
  /** Probability that it moves, 0 to 1. What it says counts by so much less. */
  readonly moving: number
  /** For each band {@link BAND_FIELDS} numbers: observations that count, mean east, mean north, variance on an axis in m². */
  readonly bands: Float64Array
  /** For each cell {@link CELL_FIELDS} numbers: east, north, mean signal in dBm, observations that count, variance in it in m². */
  readonly cells: Float64Array
  /** Where path loss is counted from, and the signal in dBm at 1 m from there. */
  readonly source: { readonly east: number; readonly north: number; readonly signalDbm: number }
}

export const BAND_FIELDS = 4
export const CELL_FIELDS = 5

/** What is known of an access point: learned, or only a position that somebody imported. */
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
