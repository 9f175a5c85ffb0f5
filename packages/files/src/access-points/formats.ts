import { geojsonReader } from './geojson.js'
import { fieldsOf, type CsvOptions } from '../csv/read-csv.js'
import { geosubmitReader, isObject } from './geosubmit.js'
import { neostumblerReader } from './neostumbler.js'
import { positionsReader } from './positions.js'
import type { RecordReader, RowReader } from './check-row.js'
import { isWigleStart, wigleReader } from './wigle.js'

/** Formats of access point files. */
export const FORMATS = ['wigle', 'csv', 'mls', 'geosubmit', 'neostumbler', 'geojson'] as const
export type Format = (typeof FORMATS)[number]

/** The reader that was chosen for a file. */
export interface Opened {
  /** True if the format was detected, false if it was only given. */
  readonly isFound: boolean
  readonly reader: RowReader | RecordReader
}

/** Rows of access points are far shorter, and so are names of networks, also with each byte escaped. */
export const ROWS: CsvOptions = { maxBytes: 16_384, maxLinesField: 128, hasComments: true }

/** Bytes that are needed to detect a format. */
export const OPENING_LENGTH = 65_536

/**
 * Chooses the reader of a file by its first lines.
 *
 * @param opening the start of the file
 * @param format the given format; undefined to detect it
 * @returns undefined if the file has another or an unknown format
 */
export function openFormat(opening: string, format?: Format): Opened | undefined {
  const lines = opening.split(/\r?\n/, 100)
  const [header = '', next = ''] = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const fields = fieldsOf(header) ?? header.split(',')
  const found = detect(header, fields, opening)
  const known = format ?? found
  const isFound = known === found || (known === 'mls' && found === 'csv')
  const opened = (reader: RowReader | RecordReader | undefined): Opened | undefined =>
    reader && { reader, isFound }
  switch (known) {
    case 'wigle':
      // Some files have lost their first line.
      return opened(wigleReader(isWigleStart(fields) ? (fieldsOf(next) ?? []) : fields))
    case 'csv':
    case 'mls':
      return opened(positionsReader(fields))
    case 'neostumbler':
      return opened(neostumblerReader(fields))
    case 'geosubmit':
      return opened(geosubmitReader(isDocument(header, lines) ? 'items' : 'lines'))
    case 'geojson':
      return opened(geojsonReader(typeOf(header) === 'Feature' ? 'lines' : 'features'))
    case undefined:
      return undefined
  }
}

function detect(header: string, fields: readonly string[], opening: string): Format | undefined {
  if (isWigleStart(fields) || wigleReader(fields)) return 'wigle'
  if (/^[\u001e\s]*[{[]/.test(header)) return isGeojson(header, opening) ? 'geojson' : 'geosubmit'
  if (neostumblerReader(fields)) return 'neostumbler'
  return positionsReader(fields) ? 'csv' : undefined
}

/** Detects a document of several lines, or of one long line, by its start. */
function isGeojson(header: string, opening: string): boolean {
  const type = typeOf(header)
  if (type !== undefined) return type !== 'other'
  return /"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(opening)
}

/** Returns true if the first line is no report: a document continues after it, or it is too long to be one line of many. */
function isDocument(header: string, lines: readonly string[]): boolean {
  if (typeOf(header) !== undefined) return false
  return /[{[,:]\s*$/.test(header) || (lines.length === 1 && header.length >= OPENING_LENGTH)
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

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
