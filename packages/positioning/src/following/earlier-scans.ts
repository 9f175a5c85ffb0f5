import { MOST_FOLLOWED } from './follow.js'
import type { PreviousScan } from '../scans/repeated-readings.js'
import type { Scan } from '../scans/scan.js'
import { usableReadings, type SentReading } from '../scans/usable-readings.js'

/** Of a device that made a scan longer ago the position is another one by now, in milliseconds. */
const FOLLOWED_MS = 120_000

/** A previous scan with all that the device said of it. */
export interface SentScan extends PreviousScan {
  readonly readings: readonly SentReading[]
}

/** A previous scan that a device is followed by: what the device sent, and the readings that count. */
export interface EarlierScan extends SentScan {
  readonly scan: Scan
}

/** Returns the previous scans that a device is followed by: the latest of two minutes, at most {@link MOST_FOLLOWED}. */
export function followedOf<Previous>(
  scans: readonly Previous[],
  ageMsOf: (scan: Previous) => number,
): Previous[] {
  return scans
    .filter((scan) => ageMsOf(scan) > 0 && ageMsOf(scan) <= FOLLOWED_MS)
    .sort((a, b) => ageMsOf(a) - ageMsOf(b))
    .slice(0, MOST_FOLLOWED)
}

/** Returns those scans, each without what it repeats from those before it. */
export function earlierScans(previous: readonly SentScan[]): EarlierScan[] {
  return followedOf(previous, ({ ageMs }) => ageMs).map(({ ageMs, readings }) => {
    const before = previous
      .filter((other) => other.ageMs > ageMs)
      .map((other) => ({ ageMs: other.ageMs - ageMs, readings: other.readings }))
    return { ageMs, readings, scan: usableReadings(readings, before) }
  })
}
