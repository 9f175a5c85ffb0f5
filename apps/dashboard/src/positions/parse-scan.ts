import { isWigleStart, wigleReader } from '@bearing/files/access-points/wigle'
import { columnsOf } from '@bearing/files/csv/columns'
import { fieldsOf } from '@bearing/files/csv/read-csv'
import { formatMacAddress, parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { isOptedOut } from '@bearing/contracts/location/access-points/opted-out'
import { parseJson } from '@bearing/contracts/text/parse-json'

/** An access point of a pasted scan. */
interface HeardAccessPoint {
  readonly macAddress: string
  readonly signalStrength?: number
}

type Fields = Readonly<Record<string, unknown>>

/** A pasted text as the body of a request, with the counts of its contents. */
export interface ParsedScan {
  readonly body: Fields
  readonly counts: { readonly accessPoints: number; readonly cells: number }
}

/** Lists of a request, in words of the API and of public geolocation services. */
const ACCESS_POINT_LISTS = ['accessPoints', 'wifiAccessPoints'] as const
const CELL_LISTS = ['cellTowers', 'lte', 'ltecatm', 'nbiot'] as const

/**
 * Reads a pasted scan: JSON as the API takes it, a curl line with such a body, a `bearing locate` command, WiGLE rows, or lines of
 * an address and a signal strength.
 *
 * @returns undefined for an empty text; a sentence if it is none of them
 */
export function parseScan(text: string): ParsedScan | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const json = jsonIn(trimmed)
  if (json !== undefined) return fromJson(json)
  if (/^[[{]|^curl\s/.test(trimmed))
    return 'The JSON is not complete: a bracket or a quote is missing, or there is a comma too many.'
  const ofCommand = [...trimmed.matchAll(/--ap[\s=]+['"]?([^\s'"]+)/g)].map(
    ([, accessPoint = '']) => accessPoint,
  )
  const heard = fromLines(ofCommand.length > 0 ? ofCommand : trimmed.split(/\r?\n/))
  if (heard.length === 0)
    return 'This is no scan. Paste JSON with "accessPoints", a curl line, WiGLE rows, or lines such as 00:1a:2b:3c:4d:5e -67.'
  return scanOf({}, heard)
}

/** Returns the JSON of a text, or of the body of a curl line. */
function jsonIn(text: string): unknown {
  const isCurl = text.startsWith('curl')
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (!isCurl) return parsed(text)
  // In double quotes a shell reads \" as ".
  const body = text.slice(start, end + 1)
  return start < 0 ? undefined : (parsed(body) ?? parsed(body.replaceAll(String.raw`\"`, '"')))
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, 'as_text')
  } catch {
    return undefined
  }
}

function fromJson(value: unknown): ParsedScan | string {
  if (Array.isArray(value)) return fromJson({ accessPoints: value })
  if (typeof value !== 'object' || value === null) return 'This is JSON, but no scan: it is no object.'
  const fields = value as Fields // members of an object
  const { wifi } = fields
  const nested = typeof wifi === 'object' && wifi !== null ? (wifi as Fields)['accessPoints'] : undefined
  const list = [...ACCESS_POINT_LISTS.map((name) => fields[name]), nested, wifi].find(Array.isArray)
  const cells = CELL_LISTS.filter((name) => Array.isArray(fields[name]))
  if (!list && cells.length === 0) return 'This JSON has no "accessPoints", and no "lte" or "cellTowers".'
  const accessPoints = (list ?? []) as readonly unknown[]
  const rest = Object.fromEntries(cells.map((name) => [name, fields[name]]))
  return { ...scanOf(rest, accessPoints.flatMap(heardIn)), body: { ...(list && { accessPoints }), ...rest } }
}

function heardIn(value: unknown): HeardAccessPoint[] {
  if (typeof value !== 'object' || value === null) return []
  const { macAddress, signalStrength } = value as Fields // members of an object
  if (typeof macAddress !== 'string') return []
  return [{ macAddress, ...(typeof signalStrength === 'number' && { signalStrength }) }]
}

function scanOf(rest: Fields, accessPoints: readonly HeardAccessPoint[]): ParsedScan {
  const cells = Object.values(rest).reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  )
  return {
    body: { ...(accessPoints.length > 0 && { accessPoints }), ...rest },
    counts: { accessPoints: accessPoints.length, cells },
  }
}

/** WiGLE rows with or without their header; else an address and a strength in each line. */
function fromLines(lines: readonly string[]): HeardAccessPoint[] {
  const rows = lines.map((line) =>
    line.includes(',') ? (fieldsOf(line) ?? []) : line.trim().split(/[\s=;@]+/),
  )
  const header = rows.find((fields) => wigleReader(fields))
  const names = header === undefined ? USUAL_WIGLE : columnsOf(header)
  return rows.flatMap((fields) =>
    isWigleStart(fields) || fields === header ? [] : heardInRow(fields, names),
  )
}

const USUAL_WIGLE = columnsOf('MAC,SSID,AuthMode,FirstSeen,Channel,RSSI'.split(','))
/** Frequency stands before the strength since version 1.6. */
const NEWER_WIGLE = columnsOf('MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI'.split(','))

function heardInRow(fields: readonly string[], names: ReadonlyMap<string, number>): HeardAccessPoint[] {
  const address = parseMacAddress(fields[0] ?? '')
  if (address === undefined) return []
  if (isOptedOut(fields.length > 5 ? (fields[names.get('ssid') ?? -1] ?? '') : '')) return []
  const at = (columns: ReadonlyMap<string, number>) => fields[columns.get('rssi') ?? -1]
  const candidates = fields.length > 5 ? [at(names), at(NEWER_WIGLE)] : fields.slice(1)
  const strength = candidates.map(Number).find((dbm) => dbm < 0 && dbm >= -128)
  return [
    { macAddress: formatMacAddress(address), ...(strength !== undefined && { signalStrength: strength }) },
  ]
}
