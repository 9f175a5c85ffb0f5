import type { beginImport } from '@bearing/contracts/location/access-point-import'
import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/mac-address'
import type { Input } from '@bearing/contracts/operation'
import type { SkipReason } from './skipped.js'

/** A row as it is sent: MAC address (12 hexadecimal digits), latitude and longitude in degrees, dBm or null. */
export type ReadRow = readonly [
  macAddress: string,
  latitude: number,
  longitude: number,
  signalStrength: number | null,
]

/** What a line is: a row to send, a reason to skip it, or undefined where it is no row (empty, comment, header). */
export type Reading = ReadRow | SkipReason | undefined

/** Reads the rows of one format. */
export interface RowReader {
  readonly content: Input<typeof beginImport>['content']
  read(line: string): Reading
}

/** Decimals of a coordinate that are sent; the seventh is a centimetre. */
const COORDINATE_SCALE = 1e7

/**
 * Checks what every format has in common.
 *
 * @returns the row, or why it is skipped
 */
export function checkRow(
  mac: string,
  latitude: string,
  longitude: string,
  signalStrength: number | null,
): Reading {
  const address = parseMacAddress(mac.trim())
  if (address === undefined || !isUsableBssid(address)) return 'unusable_mac'
  const lat = coordinate(latitude, 90)
  const lon = coordinate(longitude, 180)
  // 0, 0 is in the Atlantic: it is what receivers without a fix write.
  if (lat === undefined || lon === undefined || (lat === 0 && lon === 0)) return 'bad_coordinates'
  return [address.toString(16).padStart(12, '0'), lat, lon, signalStrength]
}

function coordinate(text: string, limit: number): number | undefined {
  const degrees = text.trim() === '' ? NaN : Number(text)
  if (!(Math.abs(degrees) <= limit)) return undefined
  return Math.round(degrees * COORDINATE_SCALE) / COORDINATE_SCALE
}

/** Whether the owner of a network asks not to be mapped (`_nomap` at the end, `_optout` anywhere). */
export function isOptedOut(ssid: string): boolean {
  return ssid.includes('_') && /_nomap"?$|_optout/i.test(ssid.trim())
}
