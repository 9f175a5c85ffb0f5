import type { Report } from './geosubmit.js'
import type { Heard, Sighting } from './check-row.js'
import { nameOfRadio, radioOf } from '@bearing/contracts/location/cells/cell-identity'

/** Rows of one second further apart than this are of two devices, in degrees: some 100 m. */
const APART_DEGREES = 0.001

/**
 * Joins rows to scans: those that follow each other, and have the same time and nearly the same position. Rows without a time are a scan
 * each: nothing says that they were received together. A scan is at the most accurate position of its rows.
 */
export class SightingScans {
  private rows: Sighting[] = []

  /** Adds a row. @returns the scan before it, if it is complete */
  add(row: Sighting): Report[] {
    const [first] = this.rows
    if (first && isOneScan(first, row)) {
      this.rows.push(row)
      return []
    }
    const complete = this.end()
    this.rows.push(row)
    return complete
  }

  /** Returns the last scan, if there is one. */
  end(): Report[] {
    const { rows } = this
    const [first] = rows
    if (!first) return []
    this.rows = []
    const { latitude, longitude, altitude, accuracy } = rows.reduce((best, row) =>
      row.accuracy < best.accuracy ? row : best,
    )
    const position = withoutNaN({ latitude, longitude, altitude, ...(accuracy > 0 && { accuracy }) })
    const accessPoints = rows.flatMap(({ heard }) => ('macAddress' in heard ? [withoutNaN(heard)] : []))
    const cellTowers = rows.flatMap(({ heard }) => ('cell' in heard ? [towerOf(heard)] : []))
    return [{ position, accessPoints, timestamp: first.timestamp, said: { cellTowers } }]
  }
}

function isOneScan(first: Sighting, row: Sighting): boolean {
  return (
    first.timestamp !== undefined &&
    first.timestamp === row.timestamp &&
    Math.abs(first.latitude - row.latitude) < APART_DEGREES &&
    Math.abs(first.longitude - row.longitude) < APART_DEGREES
  )
}

function towerOf({
  radioType,
  cell: [mcc, mnc, area, cell],
  ...heard
}: Extract<Heard, { radioType: string }>) {
  const radio = radioOf(radioType)
  return withoutNaN({
    radioType: radio ? nameOfRadio(radio) : radioType,
    ...{ mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId: cell },
    ...heard,
  })
}

function withoutNaN(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !Number.isNaN(value)),
  )
}
