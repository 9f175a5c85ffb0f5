import type { SentAccessPoints } from '@bearing/contracts/location/heard-access-point'
import type { PreviousScans } from '@bearing/contracts/location/previous-scans'
import type { PreviousScan } from '@bearing/positioning/repeated-readings'
import { MOST_FOLLOWED } from '@bearing/positioning/follow'
import type { Scan } from '@bearing/positioning/scan'
import { optedOut, usableReadings, type SentReading } from '@bearing/positioning/usable-readings'

export function sentReadings(sent: SentAccessPoints): SentReading[] {
  const readings: SentReading[] = []
  for (const one of sent) {
    if (!one) continue
    const { macAddress: bssid, signalStrength: signalDbm, ssid: networkName, age: ageMs } = one
    const { distance: distanceMeters, distanceStandardDeviation: distanceDeviationMeters } = one
    readings.push({ bssid, signalDbm, networkName, ageMs, distanceMeters, distanceDeviationMeters })
  }
  return readings
}

/** A previous scan with all that the device said of it. */
export interface SentScan extends PreviousScan {
  readonly readings: SentReading[]
}

/** A scan and those before it, as a device sends them. */
export interface SentScans {
  readonly readings: SentReading[]
  readonly previous: SentScan[]
}

/**
 * Returns what a request has, without the networks whose owners opted out in any of its scans: a network is heard under its name in one
 * and without it in another.
 */
export function sentScans(heard: {
  readonly accessPoints?: SentAccessPoints | undefined
  readonly previousScans?: PreviousScans
}): SentScans {
  const readings = sentReadings(heard.accessPoints ?? [])
  const previousScans = heard.previousScans ?? []
  // As nearly all requests: the lists are not copied.
  if (previousScans.length === 0)
    return { readings: withoutOptedOut(readings, optedOut(readings)), previous: [] }
  const previous = previousScans.map(({ age, accessPoints }) => ({
    ageMs: age,
    readings: sentReadings(accessPoints),
  }))
  const without = optedOut([readings, ...previous.map((scan) => scan.readings)].flat())
  return {
    readings: withoutOptedOut(readings, without),
    previous: previous.map((scan) => ({
      ageMs: scan.ageMs,
      readings: withoutOptedOut(scan.readings, without),
    })),
  }
}

function withoutOptedOut(readings: SentReading[], without: ReadonlySet<number> | undefined): SentReading[] {
  return without ? readings.filter(({ bssid }) => !without.has(bssid)) : readings
}

/** Of a device that made a scan longer ago the position is another one by now, in milliseconds. */
const FOLLOWED_MS = 120_000

/** A previous scan: what the device sent, and the readings that count. */
export interface EarlierScan {
  readonly ageMs: number
  readonly readings: readonly SentReading[]
  readonly scan: Scan
}

/** Returns the previous scans that a device is followed by: the latest of two minutes, at most {@link MOST_FOLLOWED}. */
export function followedOf<Previous>(
  scans: readonly Previous[],
  ageMsOf: (scan: Previous) => number,
): Previous[] {
  return scans
    .filter((scan) => ageMsOf(scan) > 0 && ageMsOf(scan) <= FOLLOWED_MS)
    .sort((a, b) => ageMsOf(a) - ageMsOf(b))
    .slice(0, MOST_FOLLOWED)
}

/** Returns those scans, each without what it repeats from those before it. */
export function earlierScans(previous: readonly SentScan[]): EarlierScan[] {
  return followedOf(previous, ({ ageMs }) => ageMs).map(({ ageMs, readings }) => {
    const before = previous
      .filter((other) => other.ageMs > ageMs)
      .map((other) => ({ ageMs: other.ageMs - ageMs, readings: other.readings }))
    return { ageMs, readings, scan: usableReadings(readings, before) }
  })
}
