import { readable, type SentAccessPoints } from '@bearing/contracts/location/heard-access-point'
import type { PreviousScans } from '@bearing/contracts/location/previous-scans'
import type { PreviousScan } from '@bearing/positioning/repeated-readings'
import type { SentReading } from '@bearing/positioning/usable-readings'

export function sentReadings(sent: SentAccessPoints): SentReading[] {
  return readable(sent).map(({ macAddress, signalStrength, ssid, age }) => ({
    bssid: macAddress,
    signalDbm: signalStrength,
    networkName: ssid,
    ageMs: age,
  }))
}

export function previousScans(sent: PreviousScans): PreviousScan[] {
  return (sent ?? []).map(({ age, accessPoints }) => ({ ageMs: age, readings: sentReadings(accessPoints) }))
}
