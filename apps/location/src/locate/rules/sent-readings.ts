import type { SentAccessPoints } from '@bearing/contracts/location/access-points/heard-access-point'
import type { PreviousScan } from '@bearing/contracts/location/scans/previous-scans'
import type { SentScan } from '@bearing/positioning/following/earlier-scans'
import { optedOut, type SentReading } from '@bearing/positioning/scans/usable-readings'

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
  readonly previousScans?: readonly PreviousScan[]
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
