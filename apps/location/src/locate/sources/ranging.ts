import type { Estimate } from '@bearing/positioning/estimate/estimate'
import {
  knownByBssid,
  layeredEstimate,
  type KnownOfScan,
  type LayeredOptions,
} from '@bearing/positioning/estimate/layered-estimate'
import {
  rangedFix,
  type FixBefore,
  type MeasuredDistance,
  type RangedFix,
} from '@bearing/positioning/distances/round-trip'
import type { Scan } from '@bearing/positioning/scans/scan'
import { DEFAULT_CALIBRATION, radiusOf } from '@bearing/positioning/estimate/uncertainty'
import type { SentReading } from '@bearing/positioning/scans/usable-readings'

export type Found = Extract<Estimate, { found: true }>

/** An estimate that was corrected by distances. */
export type Ranged = Found & {
  /** Access points whose distances count; missing if none was measured. */
  readonly ranged?: number
  /** Returns its radius at a confidence; missing if no distances count. */
  readonly radiusAt?: RangedFix['radiusAt']
}

/** What an estimate was made of. */
export interface Made {
  readonly scan: Scan
  /** What the device sent. */
  readonly readings: readonly SentReading[]
  /** What is known of the scan, in its order. */
  readonly by: KnownOfScan
  readonly options: LayeredOptions
}

/**
 * Corrects an estimate by distances to access points whose places the organization has declared itself. Those of the base layer do not
 * count: with made-up distances a caller would learn where a single one of them is.
 *
 * @param estimate what was made of it
 */
export function ranged(estimate: Found, { scan, readings, by, options }: Made): Ranged {
  if (readings.every(({ distanceMeters }) => distanceMeters === undefined)) return estimate
  const distances = measuredIn(readings, scan, by, new Set(estimate.agreeing))
  const bssids = [...scan.keys()]
  const without = (bssid: number) => {
    const rest = by.map((known, index) => (bssids[index] === bssid ? undefined : known))
    const other = layeredEstimate(scan, rest, { ...options, explanation: undefined })
    return other.found ? fixBefore(other, options) : undefined
  }
  const fix = rangedFix(fixBefore(estimate, options), distances, without)
  if (!fix) return { ...estimate, ranged: 0 }
  const { lat, lon, used, radiusAt } = fix
  return { ...estimate, lat, lon, radiusMeters: radiusAt(options.confidence), radiusAt, ranged: used.length }
}

/** Returns an estimate with both radii, by the radius that it has. */
function fixBefore({ lat, lon, radiusMeters, features }: Found, { confidence }: LayeredOptions): FixBefore {
  const radiusAt = (other: number) =>
    (radiusMeters * radiusOf(features, DEFAULT_CALIBRATION, other)) /
    radiusOf(features, DEFAULT_CALIBRATION, confidence)
  return { lat, lon, radius68: radiusAt(68), radius95: radiusAt(95) }
}

function measuredIn(
  readings: readonly SentReading[],
  scan: Scan,
  by: KnownOfScan,
  agreeing: ReadonlySet<number>,
): MeasuredDistance[] {
  const known = knownByBssid(scan, by)
  return readings.flatMap(({ bssid, distanceMeters, distanceDeviationMeters }) => {
    const one = known.get(bssid)
    return distanceMeters !== undefined && one?.isOwn && one.known.isDeclared && agreeing.has(bssid)
      ? [{ bssid, place: one.known, meters: distanceMeters, deviationMeters: distanceDeviationMeters }]
      : []
  })
}
