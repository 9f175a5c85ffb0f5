import { geojsonReader } from './geojson.js'
import { geosubmitReader, isObject, parsed } from './geosubmit.js'
import { neostumblerReader } from './neostumbler.js'
import { positionsReader } from './positions.js'
import type { RecordReader, RowReader } from './row-reader.js'
import { isWigleHeader, wigleReader } from './wigle.js'

/** What files of access points can be read and written as. */
export const FORMATS = ['wigle', 'csv', 'mls', 'geosubmit', 'neostumbler', 'geojson'] as const
export type Format = (typeof FORMATS)[number]

/** How the rest of a file is read. */
export interface Opened {
  /** Whether it is what it is found to be, or only said to be. */
  readonly isFound: boolean
  readonly reader: RowReader | RecordReader
  /** How many lines from the beginning of the file are its header. */
  readonly headerLines: number
}

/** What has to be seen of a file before its format can be known, in characters. */
export const OPENING_LENGTH = 65_536

/**
 * Opens a file by how it begins.
 *
 * @param lines the first lines, complete unless the file is one long line
 * @param format what it is; undefined to find out
 * @returns undefined where it is not that, or nothing that is understood
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

/** A document may be spread over many lines, or be one long line: then what can be seen of it says what it is. */
function isGeojson(header: string, lines: readonly string[]): boolean {
  const type = typeOf(header)
  if (type !== undefined) return type !== 'other'
  const opening = isSpread(header) ? lines.join('\n') : header
  return /"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(opening.slice(0, OPENING_LENGTH))
}

/** Whether a document goes on behind a line: with that no report ends. */
function isSpread(line: string): boolean {
  return /[{[,:]\s*$/.test(line) && typeOf(line) === undefined
}

/** What a line is that is a JSON object by itself; undefined where it is none. */
function typeOf(line: string): 'Feature' | 'FeatureCollection' | 'other' | undefined {
  const value = parsed(line.replace(/^\u001e/, ''))
  if (!isObject(value)) return undefined
  if (value['type'] === 'Feature') return 'Feature'
  return value['type'] === 'FeatureCollection' || Array.isArray(value['features'])
    ? 'FeatureCollection'
    : 'other'
}
