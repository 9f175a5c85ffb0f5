import type { Match } from '../references/reference-scans.js'
import { LEAST_PROBABLE, type Altitude, type EstimatedHeight } from '../earth/height.js'

/** Input for the probability of a floor. */
export interface FloorFeatures {
  /** Share of the matches that were taken on it, 0 to 1. */
  readonly share: number
  /** Cosine between the scan and the likest reference scan, 0 to 1. */
  readonly similarity: number
  /** Access points of the scan, at least 1. */
  readonly heard: number
}

/**
 * Coefficients of the log odds of a floor: of 1, of the log odds of its share, of the similarity, and of the logarithm of the access
 * points heard. Fitted by logistic regression to all sets of the benchmark and their thinned versions, each of which counts the same
 * (`bench/src/location-accuracy/floors.ts`, which prints them).
 */
export const FLOOR_ODDS: readonly number[] = [-5.7, 0.6, 4.26, 1.06]
/** Shares outside of this are read as this: thirty matches of one spot say no more than a few. */
const SHARE = { least: 0.02, most: 0.98 } as const
/** Of this share of the weight at least the altitude has to be known, so that it is not that of somewhere else. */
const LEAST_SAYING = 0.5
/** A scan that is less like all reference scans was taken somewhere else: nothing is said about its height. */
const LEAST_SIMILARITY = 0.35

/** @returns what {@link FLOOR_ODDS} are coefficients of */
export function floorTerms({ share, similarity, heard }: FloorFeatures): number[] {
  const clipped = Math.min(SHARE.most, Math.max(SHARE.least, share))
  return [1, Math.log(clipped / (1 - clipped)), similarity, Math.log(heard)]
}

/** @returns how often a floor with these features is the right one, 0 to 1 */
export function floorProbability(features: FloorFeatures): number {
  const odds = floorTerms(features).reduce((sum, term, index) => sum + term * (FLOOR_ODDS[index] ?? 0), 0)
  return 1 / (1 + Math.exp(-odds))
}

/**
 * Returns how high a scan was taken, by the reference scans that are like it: the floor with the largest weight, and the weighted mean
 * of the altitudes with the root of their variance and of what each of them may be off.
 *
 * @param matches those near where the scan was taken
 * @param heard access points of the scan
 * @returns undefined where they say nothing about it
 */
export function estimateHeight(
  matches: readonly Match[],
  similarity: number,
  floorNames: readonly string[],
  heard: number,
): EstimatedHeight | undefined {
  const floor = votedFloor(matches)
  const probability = floor && floorProbability({ share: floor.share, similarity, heard })
  const name = floor && floorNames[floor.number - 1]
  const altitude = similarity < LEAST_SIMILARITY ? undefined : meanAltitude(matches)
  const isProbable = probability !== undefined && probability >= LEAST_PROBABLE
  if (altitude === undefined && !(isProbable && name !== undefined)) return undefined
  return { floor: isProbable && name !== undefined ? { name, probability } : undefined, altitude }
}

/** @returns the floor with the largest weight, and its share of the number of matches; undefined where none says one */
export function votedFloor(matches: readonly Match[]): { number: number; share: number } | undefined {
  let best = 0
  let most = 0
  // A handful of floors among thirty matches: a map would take longer.
  for (const { floor } of matches) {
    if (floor === 0 || floor === best) continue
    const weight = matches.reduce((sum, match) => (match.floor === floor ? sum + match.weight : sum), 0)
    if (weight > most) [best, most] = [floor, weight]
  }
  if (best === 0) return undefined
  return { number: best, share: matches.filter(({ floor }) => floor === best).length / matches.length }
}

function meanAltitude(matches: readonly Match[]): Altitude | undefined {
  const saying = matches.filter(({ altitude }) => !Number.isNaN(altitude))
  const all = matches.reduce((sum, { weight }) => sum + weight, 0)
  const total = saying.reduce((sum, { weight }) => sum + weight, 0)
  if (saying.length === 0 || total < LEAST_SAYING * all) return undefined
  const mean = (of: (match: Match) => number) =>
    saying.reduce((sum, match) => sum + match.weight * of(match), 0) / total
  const meters = mean(({ altitude }) => altitude)
  const variance = mean(({ altitude, altitudeAccuracy }) => (altitude - meters) ** 2 + altitudeAccuracy ** 2)
  return { meters, accuracyMeters: Math.sqrt(variance) }
}
