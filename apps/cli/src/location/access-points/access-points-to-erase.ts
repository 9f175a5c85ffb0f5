import { parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { counted } from '../../ground/output/format.js'
import type { Cli } from '../../session/cli.js'
import { UsageError } from '../../ground/usage-error.js'

/** The access points to delete: one, or those of an area (degrees and meters). */
export type AccessPointsToErase =
  { readonly macAddress: string } | { readonly lat: number; readonly lon: number; readonly radius: number }

/**
 * Parses the access points to delete.
 *
 * @throws UsageError if there is neither a MAC address nor an area, or both
 */
export function accessPointsToErase(mac: string | undefined, area: string | undefined): AccessPointsToErase {
  if ((mac === undefined) === (area === undefined))
    throw new UsageError('Give either a MAC address or --area LAT,LON,RADIUS.')
  if (mac !== undefined) {
    if (parseMacAddress(mac) === undefined) throw new UsageError(`"${mac}" is not a MAC address.`)
    return { macAddress: mac }
  }
  const [lat, lon, radius, ...more] = (area ?? '')
    .split(',')
    .map((text) => (text.trim() === '' ? NaN : Number(text)))
  if (lat === undefined || lon === undefined || radius === undefined || more.length > 0)
    throw new UsageError(
      '--area takes a latitude, a longitude and a radius in meters: --area 48.1372,11.5755,150',
    )
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && radius > 0 && radius <= 100_000))
    throw new UsageError('--area takes degrees, and a radius of at most 100000 meters.')
  return { lat, lon, radius }
}

/** Warning before an erasure is confirmed. */
export const PERMANENT = 'What is erased never comes back, by an import or by an observation.'

/** Prints how many were erased. */
export function printErased(
  { output }: Cli,
  erased: { readonly removed: number },
  what = 'access point',
): void {
  output.done(`Erased permanently; ${counted(erased.removed, what)} removed.`)
  output.record({ Removed: String(erased.removed) }, erased)
}
