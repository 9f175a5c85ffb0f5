import { BANDS, bandOf } from '../../access-points/access-point-model.js'
import { toQuadPlace } from '../../earth/quad-cell.js'
import type { Coordinates } from '../../earth/sphere.js'
import { EMPTY_LAYER, layerOf, mergeLayers, scaleLayer, type Layer } from './layer-of-cells.js'
import { mergeSites, scaleSites, siteOf, type Sites } from './sites.js'

/** An access point, heard at a known place. */
export interface Observation extends Coordinates {
  /** −128 up to, but without, 0; whole dBm. */
  readonly signalDbm: number
  /** 1 to {@link WHOLE_WEIGHT}, whole (see {@link weightOf}). */
  readonly weight: number
  /** Days since 1970-01-01. */
  readonly day: number
}

/**
 * All that is learned of an access point: sums, and nothing that depends on the order of what was observed. Statistics of
 * parts are added to those of the whole, exactly: every number is a whole one, divided by a power of two where it aged.
 *
 * At most 5 · 24 cells and 8 sites; some hundred bytes for most.
 */
export interface AccessPointStatistics {
  /** Half-lives since 1970 of the latest observation: what the weights count at. */
  readonly period: number
  /** Places of reception, for each band of signal strengths. */
  readonly bands: readonly Layer[]
  /** Places by day, which show movement. */
  readonly sites: Sites
}

/** The weight of an observation whose position is as exact as a survey's. */
export const WHOLE_WEIGHT = 8
/** Accuracy of such a position, in meters. */
const EXACT_METERS = 10
/** Days after which an observation counts half. */
export const HALF_LIFE_DAYS = 365

/** Returns the weight of an observation by the accuracy of its position: 10 m / accuracy, in eighths, at least one of them. */
export function weightOf(accuracyMeters: number): number {
  const share = EXACT_METERS / Math.max(EXACT_METERS, accuracyMeters)
  return Math.max(1, Math.round(WHOLE_WEIGHT * share))
}

export function periodOf(day: number): number {
  return Math.floor(day / HALF_LIFE_DAYS)
}

export function statisticsOf(observation: Observation): AccessPointStatistics {
  const { signalDbm, weight, day } = observation
  const place = toQuadPlace(observation)
  const own = layerOf(place, weight, signalDbm)
  const band = bandOf(signalDbm)
  return {
    period: periodOf(day),
    bands: Array.from({ length: BANDS }, (_, index) => (index === band ? own : EMPTY_LAYER)),
    sites: siteOf(place, weight, day),
  }
}

/**
 * Adds statistics up: of the scans of a batch, of two databases.
 *
 * @param parts at least one
 */
export function merge(parts: readonly AccessPointStatistics[]): AccessPointStatistics {
  const period = parts.reduce((latest, part) => Math.max(latest, part.period), -Infinity)
  const aged = parts.map((part) => age(part, period))
  return {
    period,
    bands: Array.from({ length: BANDS }, (_, band) =>
      mergeLayers(aged.map(({ bands }) => bands[band] ?? EMPTY_LAYER)),
    ),
    sites: mergeSites(aged.map(({ sites }) => sites)),
  }
}

/**
 * Returns what statistics count in a later period: half for each half-life. Halving is exact in binary, so it makes no difference
 * whether parts age first or are merged first.
 *
 * @param period no earlier than that of the statistics
 */
export function age(statistics: AccessPointStatistics, period: number): AccessPointStatistics {
  if (period === statistics.period) return statistics
  const by = 2 ** (statistics.period - period)
  return {
    period,
    bands: statistics.bands.map((layer) => scaleLayer(layer, by)),
    sites: scaleSites(statistics.sites, by),
  }
}
