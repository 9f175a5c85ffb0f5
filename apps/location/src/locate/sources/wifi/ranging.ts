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
import { declaredPlaceOf } from '@bearing/positioning/access-points/access-point-model'
import type { Found } from '@bearing/positioning/estimate/estimate'
import { DEFAULT_CALIBRATION, radiusOf } from '@bearing/positioning/estimate/uncertainty'
import type { Scan } from '@bearing/positioning/scans/scan'
import type { SentReading } from '@bearing/positioning/scans/usable-readings'
import type { Search } from '../location-source.js'
import type { LocatedWifi, WifiEvidence, WifiLocator } from './wifi-locator.js'

/** Corrects positions by the distances that a device has measured. */
export class Ranging implements WifiLocator {
  constructor(private readonly inner: WifiLocator) {}

  locate(search: Search, evidence: WifiEvidence): Promise<LocatedWifi> {
    const located = this.inner.locate(search, evidence)
    return hasDistances(evidence) ? corrected(evidence, located) : located
  }
}

async function corrected(evidence: WifiEvidence, found: Promise<LocatedWifi>): Promise<LocatedWifi> {
  const located = await found
  const { estimate, by } = located
  if (!estimate.found) return located
  const { ranged: count, radiusAt, ...fix } = ranged(estimate, { ...evidence, by })
  return { ...located, estimate: fix, ranged: count, radiusAt }
}

function hasDistances({ readings }: Pick<WifiEvidence, 'readings'>): boolean {
  return readings.some(({ distanceMeters }) => distanceMeters !== undefined)
}

/** An estimate that was corrected by distances. */
type Ranged = Found & Pick<LocatedWifi, 'ranged'> & { readonly radiusAt?: RangedFix['radiusAt'] | undefined }

/** Input of an estimate. */
interface Made extends Pick<WifiEvidence, 'scan' | 'readings' | 'options'> {
  /** Knowledge of the scan, in its order. */
  readonly by: KnownOfScan
}

/**
 * Corrects an estimate by distances to access points whose places the organization has declared itself. Those of the base layer do not
 * count: with made-up distances a caller would learn where a single one of them is.
 *
 * @param estimate what was made of it
 */
export function ranged(estimate: Found, { scan, readings, by, options }: Made): Ranged {
  if (!hasDistances({ readings })) return estimate
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
    const place = one?.isOwn ? declaredPlaceOf(one.known) : undefined
    return distanceMeters !== undefined && place && agreeing.has(bssid)
      ? [{ bssid, place, meters: distanceMeters, deviationMeters: distanceDeviationMeters }]
      : []
  })
}
