import { readable, type SentAccessPoints } from '@bearing/contracts/location/heard-access-point'
import type { SentReading } from '@bearing/positioning/usable-readings'

export function sentReadings(sent: SentAccessPoints): SentReading[] {
  return readable(sent).map(({ macAddress, signalStrength, ssid, age }) => ({
    bssid: macAddress,
    signalDbm: signalStrength,
    networkName: ssid,
    ageMs: age,
  }))
}
