import { parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { optedOut } from '@bearing/positioning/scans/usable-readings'
import { text, type Report } from '@bearing/files/access-points/geosubmit'

/**
 * Removes from a report the networks whose owners opted out, with all their addresses, since a scan may have one once more
 * without its name.
 */
export function withoutOptedOut(heard: Report['accessPoints']): Report['accessPoints'] {
  const named = heard.flatMap(({ macAddress, ssid }) => {
    const bssid = addressOf(macAddress)
    return bssid === undefined ? [] : [{ bssid, networkName: text(ssid) }]
  })
  const without = optedOut(named)
  return without ? heard.filter(({ macAddress }) => !without.has(addressOf(macAddress) ?? -1)) : heard
}

function addressOf(macAddress: unknown): number | undefined {
  return parseMacAddress(text(macAddress).trim())
}
