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
  const known = format ?? detect(header)
  const after = (reader: RowReader | undefined, line: number | undefined): Opened | undefined =>
    reader && { reader, headerLines: (line ?? 0) + 1 }
  switch (known) {
    case 'wigle':
      return isWigleHeader(header) ? after(wigleReader(lines[second ?? 0] ?? ''), second) : undefined
    case 'csv':
    case 'mls':
      return after(positionsReader(header), first)
    case 'neostumbler':
      return after(neostumblerReader(header), first)
    case 'geosubmit':
      return { reader: geosubmitReader(), headerLines: 0 }
    case 'geojson':
      return { reader: geojsonReader(isFeature(header) ? 'lines' : 'features'), headerLines: 0 }
    case undefined:
      return undefined
  }
}

function detect(header: string): Format | undefined {
  if (header.startsWith('WigleWifi-')) return 'wigle'
  if (/^[\u001e\s]*[{[]/.test(header))
    return isCollection(header) || isFeature(header) ? 'geojson' : 'geosubmit'
  if (neostumblerReader(header)) return 'neostumbler'
  return positionsReader(header) ? 'csv' : undefined
}

/** A document may be spread over many lines: then its first one says nothing. */
function isCollection(header: string): boolean {
  return header.trim() === '{' || /"(?:FeatureCollection|features)"/.test(header.slice(0, OPENING_LENGTH))
}

function isFeature(header: string): boolean {
  const value = parsed(header.replace(/^\u001e/, ''))
  return isObject(value) && value['type'] === 'Feature'
}
