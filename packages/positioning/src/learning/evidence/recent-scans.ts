import type { Contribution, Reading } from './contribution.js'

/**
 * The latest signals of the access points that a device has reported: its scans of about two minutes, the oldest first, each with
 * the readings that no later scan replaces. A signal that is repeated stays in the scan that had it first.
 */
export type RecentScans = readonly Contribution[]

/** A scan longer ago than this left nothing in the device's cache, in seconds. */
export const CACHED_SECONDS = 120
/** Readings of recent scans at most, so that a car in a dense town does not cost more than a walker. */
const MOST_READINGS = 512

/**
 * Adds a scan to those of the same device before it. Of scans of the very same time only the last counts: they do not say when they
 * were taken. The same scan once more changes nothing.
 */
export function recentAfter(recent: RecentScans, scan: Contribution): RecentScans {
  const signals = signalsOf(scan.readings)
  const earlier = recent
    .filter(({ atSeconds }) => mayBeCached(atSeconds, scan.atSeconds) && atSeconds !== scan.atSeconds)
    .map((one) => withReadings(one, ({ bssid, signalDbm }) => signals.get(bssid)?.has(signalDbm) !== false))
  const repeated = signalsOf(earlier.flatMap(({ readings }) => readings))
  const latest = withReadings(scan, ({ bssid, signalDbm }) => !repeated.get(bssid)?.has(signalDbm))
  return bounded([...earlier, latest].sort((a, b) => a.atSeconds - b.atSeconds))
}

/** Returns whether a device may still report what it received at another time. */
export function mayBeCached(seconds: number, otherSeconds: number): boolean {
  return Math.abs(seconds - otherSeconds) <= CACHED_SECONDS
}

/** Returns the signals of each access point. */
export function signalsOf(readings: readonly Reading[]): ReadonlyMap<number, ReadonlySet<number>> {
  const signals = new Map<number, Set<number>>()
  for (const { bssid, signalDbm } of readings) {
    const known = signals.get(bssid) ?? new Set()
    signals.set(bssid, known.add(signalDbm))
  }
  return signals
}

function withReadings(scan: Contribution, isKept: (reading: Reading) => boolean): Contribution {
  return { ...scan, readings: scan.readings.filter(isKept), cells: [] }
}

/** Leaves out the oldest scans where there are too many readings. */
function bounded(scans: readonly Contribution[]): RecentScans {
  let left = MOST_READINGS
  return scans
    .filter(({ readings }) => readings.length > 0)
    .reverse()
    .filter(({ readings }) => (left -= readings.length) >= 0)
    .reverse()
}
