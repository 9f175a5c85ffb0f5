import { checkCircumstances, checkRow, signalStrength, type Reading, type RecordReader } from './check-row.js'

/**
 * Reads geosubmit JSON (version 2): reports, or objects with `items`. Reads scans (`lat`, `lon`, `accessPoints`) too.
 *
 * @param records `lines`: one or several reports per line; `items`: documents over several lines
 */
export function geosubmitReader(records: 'lines' | 'items'): RecordReader {
  return {
    content: 'observations',
    records,
    readAll: (record) => reportsIn(record).flatMap(readReport),
  }
}

/** A report: the position of a device, and what it received there. */
export interface Report {
  readonly position: Readonly<Record<string, unknown>>
  readonly accessPoints: readonly Readonly<Record<string, unknown>>[]
  /** Milliseconds since 1970; undefined if missing. */
  readonly timestamp: number | undefined
  /** The unparsed report. */
  readonly said: Readonly<Record<string, unknown>>
}

/** Returns the reports of a record; `malformed` for each invalid one. */
export function reportsIn(record: unknown): readonly (Report | 'malformed')[] {
  const items = isObject(record) && Array.isArray(record['items']) ? (record['items'] as unknown[]) : [record]
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

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a string; empty for any other value. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a number; for any other value one that every check rejects. */
export function number(value: unknown): number {
  return typeof value === 'number' ? value : NaN
}
