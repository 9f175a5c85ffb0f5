import { decodeReadings } from '@bearing/positioning/learning/contribution-codec'
import type { SurveyedScan } from '@bearing/positioning/calibration/leave-out'

/** A reference scan as it is stored. */
export type ReferenceRow = readonly [
  projectId: string,
  lat: number,
  lon: number,
  accuracyMeters: number,
  atSeconds: number,
  readings: Uint8Array,
]

/** Some reference scans, as they are handed to a thread: copying them takes no time. */
export interface SurveyedPage {
  readonly projects: readonly string[]
  /** Of each scan four: latitude, longitude, accuracy, time. */
  readonly numbers: Float64Array
  /** The readings of all of them, one after the other, and how many bytes each has. */
  readonly readings: Uint8Array
  readonly lengths: Uint32Array
}

const NUMBERS = 4

export function packPage(rows: readonly ReferenceRow[]): SurveyedPage {
  return {
    projects: rows.map(([project]) => project),
    numbers: Float64Array.from(rows.flatMap(([, ...numbers]) => numbers.slice(0, NUMBERS) as number[])),
    readings: new Uint8Array(Buffer.concat(rows.map((row) => row[5]))),
    lengths: Uint32Array.from(rows, (row) => row[5].length),
  }
}

export function unpackPage({ projects, numbers, readings, lengths }: SurveyedPage): SurveyedScan[] {
  let start = 0
  return projects.map((project, index) => {
    const [lat = NaN, lon = NaN, accuracyMeters = NaN, atSeconds = NaN] = numbers.subarray(
      index * NUMBERS,
      (index + 1) * NUMBERS,
    )
    const length = lengths[index] ?? 0
    const own = decodeReadings(readings.subarray(start, start + length))
    start += length
    return {
      ...{ project, lat, lon, accuracyMeters, atSeconds },
      readings: own.map(([bssid, signalDbm]) => ({ bssid, signalDbm })),
    }
  })
}
