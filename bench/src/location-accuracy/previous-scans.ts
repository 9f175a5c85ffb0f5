import type { PreviousScan } from '@bearing/positioning/scans/repeated-readings'
import type { TrueScan } from './scan-set.js'

/** As many as a request may have, and as long ago as they count. */
const MOST = 10
const SECONDS = 120

/** A previous scan, and where it was made. */
export interface TruePreviousScan extends PreviousScan {
  readonly scan: TrueScan
}

/** Returns what a device can send of the scans before each, the oldest first: none for the first of a track. */
export function previousScansOf(
  scans: readonly TrueScan[],
): ReadonlyMap<TrueScan, readonly TruePreviousScan[]> {
  const previous = new Map<TrueScan, readonly TruePreviousScan[]>()
  for (const track of Map.groupBy(scans, ({ track: name }) => name).values()) {
    const sorted = [...track].sort((a, b) => a.seconds - b.seconds)
    sorted.forEach((scan, index) => {
      const before = sorted
        .slice(Math.max(0, index - MOST), index)
        .filter(({ seconds }) => scan.seconds - seconds <= SECONDS)
      previous.set(
        scan,
        before.map((one) => ({
          ageMs: 1_000 * (scan.seconds - one.seconds),
          readings: one.accessPoints,
          scan: one,
        })),
      )
    })
  }
  return previous
}
