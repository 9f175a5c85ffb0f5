import type { Estimate, EstimateOptions } from '@bearing/positioning/estimate'
import { knownByBssid, layeredEstimate, type KnownOfScan } from '@bearing/positioning/layered-estimate'
import { rangedFix, type FixBefore, type MeasuredDistance } from '@bearing/positioning/round-trip'
import type { Scan } from '@bearing/positioning/scan'
import type { SentReading } from '@bearing/positioning/usable-readings'

export type Found = Extract<Estimate, { found: true }>

/** An estimate that was corrected by distances. */
export type Ranged = Found & {
  /** Access points whose distances count; missing if none was measured. */
  readonly ranged?: number
}

/** What an estimate was made of. */
export interface Made {
  readonly scan: Scan
  /** What the device sent. */
  readonly readings: readonly SentReading[]
  /** What is known of the scan, in its order. */
  readonly by: KnownOfScan
  readonly options: EstimateOptions
}

/**
 * Corrects an estimate by distances to access points whose places the organization has declared itself. Those of the shared layer do not
 * count: with made-up distances a caller would learn where a single one of them is.
 */
export function ranged(estimate: Found, { scan, readings, by, options }: Made): Ranged {
  if (readings.every(({ distanceMeters }) => distanceMeters === undefined)) return estimate
  const distances = measuredIn(readings, scan, by, new Set(estimate.agreeing))
  if (distances.length === 0) return { ...estimate, ranged: 0 }
  const before = fixBy(scan, by, options)
  const bssids = [...scan.keys()]
  const without = (bssid: number) =>
    fixBy(
      scan,
      by.map((known, index) => (bssids[index] === bssid ? undefined : known)),
      options,
    )
  const fix = before && rangedFix(before, distances, options.confidence, without)
  if (!fix) return { ...estimate, ranged: 0 }
  return { ...estimate, lat: fix.lat, lon: fix.lon, radiusMeters: fix.radiusMeters, ranged: fix.used.length }
}

/** Returns a position with both radii. */
function fixBy(scan: Scan, by: KnownOfScan, options: EstimateOptions): FixBefore | undefined {
  const [at68, at95] = [68, 95].map((confidence) =>
    layeredEstimate(scan, by, { ...options, confidence, explanation: undefined }),
  )
  if (!at68?.found || !at95?.found) return undefined
  return { lat: at68.lat, lon: at68.lon, radius68: at68.radiusMeters, radius95: at95.radiusMeters }
}

function measuredIn(
  readings: readonly SentReading[],
  scan: Scan,
  by: KnownOfScan,
  agreeing: ReadonlySet<number>,
): MeasuredDistance[] {
  const known = knownByBssid(scan, by)
  return readings.flatMap(({ bssid, distanceMeters, distanceDeviationMeters }) => {
    const own = known.get(bssid)?.own
    return distanceMeters !== undefined && own?.isDeclared && agreeing.has(bssid)
      ? [{ bssid, place: own, meters: distanceMeters, deviationMeters: distanceDeviationMeters }]
      : []
  })
}
