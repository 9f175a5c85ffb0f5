import { readable, type SentAccessPoints } from '@bearing/contracts/location/heard-access-point'
import type { PreviousScans } from '@bearing/contracts/location/previous-scans'
import type { PreviousScan } from '@bearing/positioning/repeated-readings'
import { MOST_FOLLOWED } from '@bearing/positioning/follow'
import type { Scan } from '@bearing/positioning/scan'
import { usableReadings, type SentReading } from '@bearing/positioning/usable-readings'

export function sentReadings(sent: SentAccessPoints): SentReading[] {
  return readable(sent).map(({ macAddress, signalStrength, ssid, age }) => ({
    bssid: macAddress,
    signalDbm: signalStrength,
    networkName: ssid,
    ageMs: age,
  }))
}

/** A previous scan with all that the device said of it. */
export interface SentScan extends PreviousScan {
  readonly readings: SentReading[]
}

export function previousScans(sent: PreviousScans): SentScan[] {
  return (sent ?? []).map(({ age, accessPoints }) => ({ ageMs: age, readings: sentReadings(accessPoints) }))
}

/** Of a device that made a scan longer ago the position is another one by now, in milliseconds. */
const FOLLOWED_MS = 120_000

/** A previous scan, with the readings that count. */
export interface EarlierScan {
  readonly ageMs: number
  readonly scan: Scan
}

/** Returns the latest previous scans of two minutes, at most {@link MOST_FOLLOWED}: each without what it repeats from those before it. */
export function earlierScans(previous: readonly SentScan[]): EarlierScan[] {
  return previous
    .filter(({ ageMs }) => ageMs > 0 && ageMs <= FOLLOWED_MS)
    .sort((a, b) => a.ageMs - b.ageMs)
    .slice(0, MOST_FOLLOWED)
    .map(({ ageMs, readings }) => {
      const before = previous
        .filter((other) => other.ageMs > ageMs)
        .map((other) => ({ ageMs: other.ageMs - ageMs, readings: other.readings }))
      return { ageMs, scan: usableReadings(readings, before) }
    })
}
