import { parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { parseJson } from '@bearing/contracts/text/parse-json'
import { UsageError } from '../../ground/usage-error.js'

export interface HeardAccessPoint {
  readonly macAddress: string
  readonly signalStrength?: number
  readonly ssid?: string
  readonly age?: number
  readonly distance?: number
  readonly distanceStandardDeviation?: number
}

/** A request of a modem, with radio cells: sent as it is. */
export type GroundFix = Readonly<Record<string, unknown>>

/** A Wi-Fi scan. */
export interface WifiScan {
  readonly accessPoints: HeardAccessPoint[]
  readonly device_id?: string
  readonly previousScans?: { readonly age: number; readonly accessPoints: HeardAccessPoint[] }[]
}

/** A scan of a file, a request with cells, or what is wrong with it. */
export type Scan = WifiScan | { readonly groundFix: GroundFix } | { readonly mistake: string }

/** Fields that make an object a request of a modem. */
const OF_MODEMS = ['cellTowers', 'lte', 'ltecatm', 'nbiot', 'wifi'] as const

/**
 * Reads an access point of the command line: `MAC=RSSI`, `MAC=RSSI@AGE` with the milliseconds since it was received, or `MAC` if the
 * strength is unknown. `MAC=RSSI,DISTANCE` and `MAC=RSSI@AGE,DISTANCE` have a measured distance in meters.
 *
 * @throws UsageError if it is invalid
 */
export function parseAccessPoint(text: string): HeardAccessPoint {
  const [macAddress = '', strength, ...rest] = text.split('=')
  if (parseMacAddress(macAddress) === undefined || rest.length > 0)
    throw new UsageError(
      '--ap must be a MAC address, with its signal strength if it is known: 00:1a:2b:3c:4d:5e=-67.',
    )
  if (strength === undefined) return { macAddress }
  const [received = '', distance, ...others] = strength.split(',')
  const [signal = '', age, ...more] = received.split('@')
  if (!/^[-+]?\d+(\.\d+)?$/.test(signal))
    throw new UsageError('The signal strength of --ap must be in dBm, such as -67.')
  if (more.length > 0 || (age !== undefined && !/^\d{1,9}$/.test(age)))
    throw new UsageError('The age of --ap must be in milliseconds, such as 00:1a:2b:3c:4d:5e=-67@1500.')
  if (others.length > 0 || (distance !== undefined && !/^-?\d{1,4}(\.\d+)?$/.test(distance)))
    throw new UsageError('The distance of --ap must be in meters, such as 00:1a:2b:3c:4d:5e=-67,4.2.')
  return {
    ...{ macAddress, signalStrength: Number(signal) },
    ...(age !== undefined && { age: Number(age) }),
    ...(distance !== undefined && { distance: Number(distance) }),
  }
}

/**
 * Reads scans: a JSON object with `accessPoints`, a request with cells (`lte`, `cellTowers`, …) as a modem sends it, a JSON
 * array of access points or of such objects, or JSON lines of either. A byte order mark is ignored.
 *
 * @throws UsageError if the text contains no scan
 */
export function parseScans(written: string): Scan[] {
  const text = written.replace(/^\ufeff/, '')
  const whole = readJson(text)
  const scans =
    whole === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parseLine)
      : isListOfScans(whole)
        ? whole.map(toScan)
        : [toScan(whole)]
  if (scans.some((scan) => !('mistake' in scan))) return scans
  throw new UsageError(
    'The file contains no scan.',
    'Use a JSON object with "accessPoints", "lte" or "cellTowers", a JSON array of access points ({ "macAddress", "signalStrength" }), or one such scan per line.',
  )
}

function parseLine(line: string): Scan {
  const value = readJson(line)
  return value === undefined
    ? { mistake: 'This line is not JSON, or has a number that is too large.' }
    : toScan(value)
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, 'as_text')
  } catch {
    return undefined
  }
}

function isListOfScans(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => Array.isArray(item) || isObject(item, 'accessPoints') || isOfModem(item))
  )
}

function isObject<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && key in value
}

function isOfModem(value: unknown): value is GroundFix {
  return OF_MODEMS.some((field) => isObject(value, field))
}

function toScan(value: unknown): Scan {
  if (isOfModem(value)) return { groundFix: value }
  const accessPoints = toAccessPoints(isObject(value, 'accessPoints') ? value.accessPoints : value)
  if ('mistake' in accessPoints) return accessPoints
  const previous = isObject(value, 'previousScans') ? (value.previousScans ?? []) : []
  if (!Array.isArray(previous)) return { mistake: 'The "previousScans" of this scan are not a list.' }
  const previousScans = []
  for (const item of previous as unknown[]) {
    const before = isObject(item, 'accessPoints') ? toAccessPoints(item.accessPoints) : undefined
    if (!before || 'mistake' in before || !isObject(item, 'age') || typeof item.age !== 'number')
      return { mistake: 'A previous scan of this scan has no "age" or no "accessPoints".' }
    previousScans.push({ age: item.age, accessPoints: before.list })
  }
  const device = isObject(value, 'device_id') ? value.device_id : undefined
  return {
    accessPoints: accessPoints.list,
    ...(typeof device === 'string' && { device_id: device }),
    ...(previousScans.length > 0 && { previousScans }),
  }
}

function toAccessPoints(sent: unknown): { readonly list: HeardAccessPoint[] } | { readonly mistake: string } {
  if (!Array.isArray(sent)) return { mistake: 'This is not a scan: "accessPoints" is missing.' }
  const list: HeardAccessPoint[] = []
  for (const item of sent as unknown[]) {
    if (!isObject(item, 'macAddress') || typeof item.macAddress !== 'string')
      return { mistake: 'An access point of this scan has no "macAddress".' }
    const { macAddress } = item
    const sent = item as Readonly<Record<string, unknown>> // members of an object
    const { signalStrength, ssid, age, distance, distanceStandardDeviation } = sent
    list.push({
      macAddress,
      ...(typeof signalStrength === 'number' && { signalStrength }),
      ...(typeof ssid === 'string' && { ssid }),
      ...(typeof age === 'number' && { age }),
      ...(typeof distance === 'number' && { distance }),
      ...(typeof distanceStandardDeviation === 'number' && { distanceStandardDeviation }),
    })
  }
  return { list }
}
