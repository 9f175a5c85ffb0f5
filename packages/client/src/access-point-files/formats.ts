import { geojsonReader } from './geojson.js'
import { geosubmitReader, isObject, parsed } from './geosubmit.js'
import { neostumblerReader } from './neostumbler.js'
import { positionsReader } from './positions.js'
import type { RecordReader, RowReader } from './row-reader.js'
import { isWigleHeader, wigleReader } from './wigle.js'

/** Formats of access point files. */
export const FORMATS = ['wigle', 'csv', 'mls', 'geosubmit', 'neostumbler', 'geojson'] as const
export type Format = (typeof FORMATS)[number]

/** How a file is read after its header. */
export interface Opened {
  /** Whether the format was detected, or only given. */
  readonly isFound: boolean
  readonly reader: RowReader | RecordReader
  readonly headerLines: number
}

/** Characters that are needed to detect a format. */
export const OPENING_LENGTH = 65_536

/**
 * Chooses the reader of a file by its first lines.
 *
 * @param lines the first lines, complete except in a file of one long line
 * @param format the given format; undefined to detect it
 * @returns undefined if the file has another or an unknown format
 */
export function openFormat(lines: readonly string[], format?: Format): Opened | undefined {
  const [first, second] = lines.flatMap((line, index) => (line === '' ? [] : [index]))
  const header = lines[first ?? 0] ?? ''
  const found = detect(header, lines)
  const known = format ?? found
  const isFound = known === found || (known === 'mls' && found === 'csv')
  const after = (reader: RowReader | undefined, line: number | undefined): Opened | undefined =>
    reader && { reader, isFound, headerLines: (line ?? 0) + 1 }
  const documents = (reader: RecordReader): Opened => ({ reader, isFound, headerLines: 0 })
  switch (known) {
    case 'wigle':
      return isWigleHeader(header) ? after(wigleReader(lines[second ?? 0] ?? ''), second) : undefined
    case 'csv':
    case 'mls':
      return after(positionsReader(header), first)
    case 'neostumbler':
      return after(neostumblerReader(header), first)
    case 'geosubmit':
      return documents(geosubmitReader(isSpread(header) ? 'items' : 'reports'))
    case 'geojson':
      return documents(geojsonReader(typeOf(header) === 'Feature' ? 'lines' : 'features'))
    case undefined:
      return undefined
  }
}

function detect(header: string, lines: readonly string[]): Format | undefined {
  if (header.startsWith('WigleWifi-')) return 'wigle'
  if (/^[\u001e\s]*[{[]/.test(header)) return isGeojson(header, lines) ? 'geojson' : 'geosubmit'
  if (neostumblerReader(header)) return 'neostumbler'
  return positionsReader(header) ? 'csv' : undefined
}

/** Detects a document of several lines, or of one long line, by its start. */
function isGeojson(header: string, lines: readonly string[]): boolean {
  const type = typeOf(header)
  if (type !== undefined) return type !== 'other'
  const opening = isSpread(header) ? lines.join('\n') : header
  return /"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(opening.slice(0, OPENING_LENGTH))
}

/** Whether a document continues after a line. No report ends this way. */
function isSpread(line: string): boolean {
  return /[{[,:]\s*$/.test(line) && typeOf(line) === undefined
}

/** Detects a line that is a JSON object; undefined if it is not. */
function typeOf(line: string): 'Feature' | 'FeatureCollection' | 'other' | undefined {
  const value = parsed(line.replace(/^\u001e/, ''))
  if (!isObject(value)) return undefined
  if (value['type'] === 'Feature') return 'Feature'
  return value['type'] === 'FeatureCollection' || Array.isArray(value['features'])
    ? 'FeatureCollection'
    : 'other'
}
