import type { Radio } from '@bearing/contracts/location/cells/cell-identity'
import { toQuadPlace } from '../../earth/quad-cell.js'
import type { Coordinates } from '../../earth/sphere.js'
import { ByteReader } from './byte-reader.js'
import { ByteWriter } from './byte-writer.js'
import { decodeLayer, encodeLayer, sumReader, sumWriter } from './layer-codec.js'
import { layerOf, mergeLayers, scaleLayer, type Cell, type Layer } from './layer-of-cells.js'
import { squaresOutside } from './squares-outside.js'
import { weightOf } from './statistics.js'

/** A radio cell, heard at a known place. */
export interface RadioCellObservation extends Coordinates {
  readonly radio: Radio
  /** Whole dBm, where the device said it. */
  readonly signalDbm?: number | undefined
  readonly accuracyMeters: number
  /** Half-lives since 1970 (`periodOf`). */
  readonly period: number
}

/**
 * All that is learned of a radio cell: sums, as of an access point (`statistics.ts`), and exact like those: in any order, and
 * from any parts, they come to the same.
 */
export interface RadioCellStatistics {
  /** Half-lives since 1970 of the latest observation: what the sums count at. */
  readonly period: number
  /** Number of observations, after aging. */
  readonly observations: number
  /** Places of reception, in at most 16 squares of about 130 m or more. The signals are in the weights; their sums stay 0. */
  readonly squares: Layer
}

/** Squares begin with edges of 2^14 steps, 100 to 170 m: a radio cell is no smaller. */
export const SQUARE_LEVEL = 5

/**
 * For each radio the signals that there are, in dBm, and what is added to one before it is weighed: so the usual one (−95 of GSM,
 * −100 of UMTS, −105 of LTE and NR) weighs 1. From Mozilla's ichnaea (models/observation.py); NR is measured as LTE is.
 */
const SIGNALS: Readonly<
  Record<Radio, { readonly least: number; readonly most: number; readonly offset: number }>
> = {
  2: { least: -113, most: -51, offset: -5 },
  3: { least: -121, most: -25, offset: 0 },
  4: { least: -140, most: -43, offset: 5 },
  5: { least: -156, most: -31, offset: 5 },
}
/** Nothing weighs more: the strongest signal alone would decide. */
const MOST_WEIGHT = 16

/** Returns how much an observation says about where a cell is, by its signal: [10⁴ / (s + offset)²]², s in dBm; 1 if it has none. */
export function radioCellWeight(radio: Radio, signalDbm: number | undefined): number {
  const { least, most, offset } = SIGNALS[radio]
  if (signalDbm === undefined || signalDbm < least || signalDbm > most) return 1
  return Math.min(MOST_WEIGHT, (1e4 / (signalDbm + offset) ** 2) ** 2)
}

export function radioCellStatisticsOf(observation: RadioCellObservation): RadioCellStatistics {
  const { radio, signalDbm, accuracyMeters, period } = observation
  const weight = Math.max(1, Math.round(weightOf(accuracyMeters) * radioCellWeight(radio, signalDbm)))
  return { period, observations: 1, squares: layerOf(toQuadPlace(observation), weight, 0, SQUARE_LEVEL) }
}

/** Adds statistics up. @param parts at least one */
export function mergeRadioCells(parts: readonly RadioCellStatistics[]): RadioCellStatistics {
  const period = parts.reduce((latest, part) => Math.max(latest, part.period), -Infinity)
  const aged = parts.map((part) => ageRadioCell(part, period))
  return {
    period,
    observations: aged.reduce((sum, { observations }) => sum + observations, 0),
    squares: mergeLayers(aged.map(({ squares }) => squares)),
  }
}

/** Returns what statistics count in a later period: half for each half-life. */
export function ageRadioCell(statistics: RadioCellStatistics, period: number): RadioCellStatistics {
  if (period === statistics.period) return statistics
  const by = 2 ** (statistics.period - period)
  return {
    period,
    observations: statistics.observations * by,
    squares: scaleLayer(statistics.squares, by),
  }
}

/**
 * Statistics without what was observed in an area: all squares go that have a part in it. Observations go in proportion to
 * the weights.
 *
 * @param radius of the area, in meters
 * @returns undefined where nothing is left; the same where nothing went
 */
export function withoutArea(
  statistics: RadioCellStatistics,
  middle: Coordinates,
  radius: number,
): RadioCellStatistics | undefined {
  const { level, cells } = statistics.squares
  const isOutside = squaresOutside(middle, radius)
  const kept = cells.filter(({ key }) => isOutside(key, level))
  if (kept.length === cells.length) return statistics
  if (kept.length === 0) return undefined
  const observations = Math.max(1, Math.round((statistics.observations * weightIn(kept)) / weightIn(cells)))
  return { ...statistics, observations, squares: { level, cells: kept } }
}

function weightIn(cells: readonly Cell[]): number {
  return cells.reduce((sum, { weight }) => sum + weight, 0)
}

/** The first byte. */
const VERSION = 1
/** Scratch memory. */
const WHOLE = new ByteWriter()
const BLOCK = new ByteWriter()

/** Writes statistics as bytes: about 25 for one observation, about 300 where all squares are in use. Nothing is rounded. */
export function encodeRadioCell({
  period,
  observations,
  squares,
}: RadioCellStatistics): Uint8Array<ArrayBuffer> {
  WHOLE.byte(VERSION)
  WHOLE.signed(period)
  sumWriter(WHOLE, [observations])(observations)
  WHOLE.block(encodeLayer(BLOCK, squares))
  return WHOLE.take()
}

/**
 * Reads what {@link encodeRadioCell} has written.
 *
 * @throws RangeError where it has not written that
 */
export function decodeRadioCell(bytes: Uint8Array): RadioCellStatistics {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new RangeError(`statistics of an unknown version, ${String(version)}`)
  const period = reader.signed()
  const observations = sumReader(reader)()
  const squares = decodeLayer(reader.block())
  if (!reader.isDone) throw new RangeError('statistics with more bytes than they say')
  return { period, observations, squares }
}
