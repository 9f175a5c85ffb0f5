import type { beginImport } from '@bearing/contracts/location/access-point-import'
import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/mac-address'
import { isOptedOut } from '@bearing/contracts/location/opted-out'
import type { Input } from '@bearing/contracts/operation'
import type { Members } from './cut-members.js'
import { MAX_ACCURACY_METERS, type SkipReason } from './skipped.js'

/** A row as it is sent: BSSID (48 bits), latitude and longitude in degrees, dBm or null. */
export type ReadRow = readonly [
  bssid: number,
  latitude: number,
  longitude: number,
  signalStrength: number | null,
]

/** What a record is: a row to send, a reason to skip it, or undefined where it is no row (empty, comment, header). */
export type Reading = ReadRow | SkipReason | undefined

type Content = Input<typeof beginImport>['content']

/** Reads a format whose lines are rows. */
export interface RowReader {
  readonly content: Content
  read(line: string): Reading
}

/** Reads a format whose records hold any number of rows. */
export interface RecordReader {
  readonly content: Content
  /** What a record is: a line, a line of JSON that may hold several, or a member of the array `features` or `items` of JSON documents. */
  readonly records: 'lines' | 'reports' | Members
  readAll(record: string): readonly Reading[]
}

/** Decimals of a coordinate that are sent; the seventh is a centimetre. */
const COORDINATE_SCALE = 1e7

/**
 * Checks what every format has in common.
 *
 * @param latitude degrees, as text or as a number
 * @returns the row, or why it is skipped
 */
export function checkRow(
  mac: string,
  latitude: string | number,
  longitude: string | number,
  signalStrength: number | null,
): Exclude<Reading, undefined> {
  const address = parseMacAddress(mac.trim())
  if (address === undefined || !isUsableBssid(address)) return 'unusable_mac'
  const lat = coordinate(latitude, 90)
  const lon = coordinate(longitude, 180)
  // 0, 0 is in the Atlantic: it is what receivers without a fix write.
  if (lat === undefined || lon === undefined || (lat === 0 && lon === 0)) return 'bad_coordinates'
  return [address, lat, lon, signalStrength]
}

/** What is known of a row besides where it is. */
export interface Circumstances {
  readonly ssid: string
  /** Accuracy of the position in metres, as it was written; what is empty or no number is not known. */
  readonly accuracy: string | number
}

/** Skips a row of an owner who asks for it, or at a place that is not known well enough. */
export function checkCircumstances(
  row: Exclude<Reading, undefined>,
  { ssid, accuracy }: Circumstances,
): Exclude<Reading, undefined> {
  if (row === 'unusable_mac') return row
  if (isOptedOut(ssid)) return 'opted_out'
  if (typeof row === 'string') return row
  return Number(accuracy) > MAX_ACCURACY_METERS ? 'inaccurate' : row
}

function coordinate(written: string | number, limit: number): number | undefined {
  const scaled = typeof written === 'string' ? plainDecimal(written) : undefined
  if (scaled !== undefined)
    return Math.abs(scaled) <= limit * COORDINATE_SCALE ? scaled / COORDINATE_SCALE : undefined
  const degrees = typeof written === 'string' && written.trim() === '' ? NaN : Number(written)
  if (!(Math.abs(degrees) <= limit)) return undefined
  return Math.round(degrees * COORDINATE_SCALE) / COORDINATE_SCALE
}

/**
 * Reads what nearly every file has: an optional minus, up to three digits, a point and up to seven more; three times as fast as
 * `Number`, and the same.
 *
 * @returns ten million times the number, which is whole; undefined where it is written otherwise
 */
function plainDecimal(text: string): number | undefined {
  const from = text.charCodeAt(0) === MINUS ? 1 : 0
  const point = text.indexOf('.')
  const decimals = text.length - point - 1
  if (point <= from || point > from + 3 || decimals > MAX_DECIMALS) return undefined
  let whole = 0
  for (let index = from; index < text.length; index++) {
    if (index === point) continue
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return undefined
    whole = whole * 10 + digit
  }
  const scaled = whole * (SCALES[decimals] ?? NaN)
  // Not -0, as `Number` has it: a place is a place.
  return from === 1 && scaled !== 0 ? -scaled : scaled
}

const MINUS = 0x2d
const ZERO = 0x30
const MAX_DECIMALS = 7
/** What a number without its point is multiplied with, by how many decimals it has. */
const SCALES = [1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1]

/** dBm as it was written; null where it is not known, which some write as 0. */
export function signalStrength(written: string | number | undefined): number | null {
  const dbm = written === undefined || written === '' ? NaN : Math.round(Number(written))
  return dbm >= -128 && dbm < 0 ? dbm : null
}
