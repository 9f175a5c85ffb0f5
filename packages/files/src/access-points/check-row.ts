import type { beginImport } from '@bearing/contracts/location/access-points/access-point-import'
import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { isOptedOut } from '@bearing/contracts/location/access-points/opted-out'
import type { Input } from '@bearing/contracts/operation'
import type { Members } from '../json/read-json.js'
import { MAX_ACCURACY_METERS, type SkipReason } from './skipped.js'

/** A row to send: BSSID (48 bits), latitude and longitude in degrees, dBm or null. */
export type ReadRow = readonly [
  bssid: number,
  latitude: number,
  longitude: number,
  signalStrength: number | null,
]

/** The meaning of a record: a row to send, a reason to skip it, or undefined (empty, comment, header). */
export type Reading = ReadRow | SkipReason | undefined

/** A station that a row is of: an access point, or a radio cell. */
export type Heard =
  | {
      readonly macAddress: string
      readonly ssid: string
      readonly signalStrength: number
      readonly age?: number | undefined
    }
  | {
      readonly radioType: string
      readonly cell: readonly [mcc: number, mnc: number, area: number, cell: number]
      readonly signalStrength: number
      readonly age?: number | undefined
    }

/** A station that a row is of, with the position of the device and the time. */
export interface Sighting {
  /** Signal strengths are dBm, ages milliseconds; NaN if they are not known. */
  readonly heard: Heard
  /** Degrees; NaN if they cannot be read. */
  readonly latitude: number
  readonly longitude: number
  /** Meters; NaN if it is not known. */
  readonly accuracy: number
  /** Meters, as the receiver gave it; undefined or NaN if it is not known. */
  readonly altitude?: number
  /** Milliseconds since 1970; undefined if it cannot be read. */
  readonly timestamp: number | undefined
}

/** The meaning of a row as a part of a scan: undefined for empty rows and headers. */
export type SightingReading = Sighting | 'malformed' | 'not_wifi' | undefined

type Content = Input<typeof beginImport>['content']

/** Reads a format whose records are rows of CSV. */
export interface RowReader {
  readonly content: Content
  /** Reads a row. Headers say where columns are, and are no rows. */
  read(fields: readonly string[]): Reading
  /** Reads the same row with its time, to join rows to scans. Missing if the rows of a format have none. */
  readonly readSighting?: (fields: readonly string[]) => SightingReading
}

/** Reads a format whose records are JSON, with any number of rows. */
export interface RecordReader {
  readonly content: Content
  /** Kind of the records: lines of JSON, or members of the array `features` or `items`. */
  readonly records: 'lines' | Members
  readAll(record: unknown): readonly Reading[]
}

/** Decimals of a coordinate; the seventh is a centimeter. */
const COORDINATE_SCALE = 1e7

/**
 * Checks the fields that every format has.
 *
 * @param latitude degrees, as text or as a number
 * @returns the row, or the reason to skip it
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
  // Receivers without a fix write 0, 0.
  if (lat === undefined || lon === undefined || (lat === 0 && lon === 0)) return 'bad_coordinates'
  return [address, lat, lon, signalStrength]
}

/** Properties of a row besides its position. */
export interface Circumstances {
  readonly ssid: string
  /** Accuracy of the position in meters; unknown if it is not a number. */
  readonly accuracy: string | number
}

/** Skips a row if its owner opted out, or its position is too inaccurate. */
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
 * Parses the usual notation (optional minus, up to three digits, a point, up to seven digits), three times as fast as
 * `Number`.
 *
 * @returns the number times ten million; undefined for other notations
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
  // Not -0, as `Number` returns.
  return from === 1 && scaled !== 0 ? -scaled : scaled
}

const MINUS = 0x2d
const ZERO = 0x30
const MAX_DECIMALS = 7
/** Factors by the number of decimals. */
const SCALES = [1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1]

/** Parses dBm; null if unknown, which some programs write as 0. */
export function signalStrength(written: string | number | undefined): number | null {
  const dbm = written === undefined || written === '' ? NaN : Math.round(Number(written))
  return dbm >= -128 && dbm < 0 ? dbm : null
}

/** Parses a number of a row; NaN if there is none. */
export function numberOf(written: string | undefined): number {
  const text = written?.trim() ?? ''
  return text === '' ? NaN : Number(text)
}
