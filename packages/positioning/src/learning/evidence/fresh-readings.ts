import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import type { Contribution, Reading } from './contribution.js'
import { movedMeters } from './plausibility.js'
import { mayBeCached, type RecentScans } from './recent-scans.js'

/** A reading older than this was heard somewhere else, in milliseconds (as in Mozilla’s ichnaea). */
const MOST_AGE_MS = 20_000
/** Meters after which the same signal again is no coincidence: one in 25 then repeats, against two in three copies. */
const MOVED_METERS = 15
/** Signals that radios report, in dBm. */
const SIGNALS = { least: -110, most: -1 } as const

/**
 * Returns the readings that were heard where the scan says.
 *
 * Devices hand out lists in which old entries are still there, also after scans in which they were missing: in the study 62 % of
 * what a phone heard again after more than 15 m had exactly the same signal, where 4 % were to be expected. Leaving those out made
 * every estimator better by a third. One reading in 25 is left out though it was fresh.
 *
 * @param recent the device's scans before this one
 * @returns each BSSID once, with its strongest signal, by ascending BSSID
 */
export function freshReadings(scan: Contribution, recent: RecentScans): readonly Reading[] {
  const cached = cachedSince(scan, recent)
  const strongest = new Map<number, Reading>()
  for (const reading of scan.readings) {
    const { bssid, signalDbm, ageMs = 0 } = reading
    if (!isUsableBssid(bssid) || signalDbm < SIGNALS.least || signalDbm > SIGNALS.most) continue
    const secondsAgo = cached.get(bssid)?.get(signalDbm)
    if (ageMs > MOST_AGE_MS || (secondsAgo !== undefined && !isReceivedSince(ageMs, secondsAgo))) continue
    const other = strongest.get(bssid)
    if (!other || signalDbm > other.signalDbm) strongest.set(bssid, reading)
  }
  return [...strongest.values()].sort((a, b) => a.bssid - b.bssid)
}

/**
 * Returns whether a device says that it received a signal after an earlier scan that had it, too. An age of 0 says nothing: it is what
 * many write who do not know it.
 */
export function isReceivedSince(ageMs: number, secondsAgo: number): boolean {
  return ageMs > 0 && ageMs < 1_000 * secondsAgo
}

/** Returns by BSSID and signal how many seconds ago a device received what it may repeat from elsewhere. */
function cachedSince(
  scan: Contribution,
  recent: RecentScans,
): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const cached = new Map<number, Map<number, number>>()
  for (const before of recent) {
    if (!mayBeCached(before.atSeconds, scan.atSeconds) || movedMeters(before, scan) <= MOVED_METERS) continue
    const secondsAgo = Math.abs(scan.atSeconds - before.atSeconds)
    for (const { bssid, signalDbm } of before.readings) {
      const signals = cached.get(bssid) ?? new Map<number, number>()
      cached.set(bssid, signals.set(signalDbm, secondsAgo))
    }
  }
  return cached
}
