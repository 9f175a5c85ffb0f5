import {
  checkCircumstances,
  checkRow,
  signalStrength,
  type Reading,
  type RecordReader,
} from './row-reader.js'

/**
 * Reads JSON of the geosubmit shape (version 2): reports, or objects with several as `items`. The simpler shape that scans are
 * exchanged in (`lat`, `lon`, `accessPoints`) is read as well.
 *
 * @param records `reports`: one or several in each line; `items`: documents that are spread over lines
 */
export function geosubmitReader(records: 'reports' | 'items'): RecordReader {
  return {
    content: 'observations',
    records,
    readAll: (record) => (record.trim() === '' ? [] : reportsIn(record).flatMap(readReport)),
  }
}

/** A report: where a device was, and what it heard there. */
export interface Report {
  readonly position: Readonly<Record<string, unknown>>
  readonly accessPoints: readonly Readonly<Record<string, unknown>>[]
  /** Milliseconds since 1970; undefined where it is not given. */
  readonly timestamp: number | undefined
  /** All that was said, as it was said. */
  readonly said: Readonly<Record<string, unknown>>
}

/**
 * The reports in a record; `malformed` in the place of each that is none.
 *
 * @param record as ISO 8859-1 (`readPieces`)
 */
export function reportsIn(record: string): readonly (Report | 'malformed')[] {
  const value = parsed(decoded(record))
  const items = isObject(value) && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value]
  return items.map(reportOf)
}

function reportOf(value: unknown): Report | 'malformed' {
  if (!isObject(value)) return 'malformed'
  const accessPoints = value['wifiAccessPoints'] ?? value['accessPoints'] ?? []
  if (!Array.isArray(accessPoints)) return 'malformed'
  const { position, timestamp } = value
  return {
    position: isObject(position) ? position : { latitude: value['lat'], longitude: value['lon'] },
    accessPoints: accessPoints.filter(isObject),
    timestamp: typeof timestamp === 'number' && timestamp > 0 ? timestamp : undefined,
    said: value,
  }
}

function readReport(report: Report | 'malformed'): readonly Reading[] {
  if (report === 'malformed') return [report]
  const { latitude, longitude, accuracy } = report.position
  return report.accessPoints.map((accessPoint) =>
    checkCircumstances(
      checkRow(
        text(accessPoint['macAddress']),
        number(latitude),
        number(longitude),
        signalStrength(number(accessPoint['signalStrength'])),
      ),
      { ssid: text(accessPoint['ssid']), accuracy: number(accuracy) },
    ),
  )
}

/**
 * Text as it was written, in UTF-8; what is not valid becomes U+FFFD. This has to come before the JSON is read: behind that nobody
 * knows any more what of a text was escaped, and is no byte.
 */
function decoded(latin1: string): string {
  return /[\u0080-\u00ff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1
}

/** JSON as a value; undefined where it is none. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text as it is, and of everything else nothing. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A number as it is, and of everything else one that no check lets through. */
export function number(value: unknown): number {
  return typeof value === 'number' ? value : NaN
}
