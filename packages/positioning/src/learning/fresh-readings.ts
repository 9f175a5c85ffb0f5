import { isUsableBssid } from '@bearing/contracts/location/mac-address'
import type { Contribution, Reading } from './contribution.js'
import { movedMeters } from './plausibility.js'

/** A reading older than this was heard somewhere else, in milliseconds (as in Mozilla’s ichnaea). */
const MOST_AGE_MS = 20_000
/** Meters after which the same signal again is no coincidence: one in 25 then repeats, against two in three copies. */
const MOVED_METERS = 15
/** A scan longer ago than this left nothing in the device's list, in seconds. */
const MEMORY_SECONDS = 120
/** Signals that radios report, in dBm. */
const SIGNALS = { least: -110, most: -1 } as const

/**
 * Returns the readings that were heard where the scan says.
 *
 * Devices hand out lists in which old entries are still there: in the study 62 % of what a phone heard again after more than
 * 15 m had exactly the same signal, where 4 % were to be expected. Leaving those out made every estimator better by a third.
 * What is left out though it was fresh is one reading in 25.
 *
 * @param previous the device's scan before this one, as it was sent, if it is known
 * @returns each BSSID once, with its strongest signal, by ascending BSSID
 */
export function freshReadings(scan: Contribution, previous: Contribution | undefined): readonly Reading[] {
  const before = previous && mayRepeat(previous, scan) ? signalsOf(previous.readings) : undefined
  const strongest = new Map<number, Reading>()
  for (const reading of scan.readings) {
    const { bssid, signalDbm, ageMs = 0 } = reading
    if (!isUsableBssid(bssid) || signalDbm < SIGNALS.least || signalDbm > SIGNALS.most) continue
    if (ageMs > MOST_AGE_MS || before?.get(bssid)?.has(signalDbm)) continue
    const other = strongest.get(bssid)
    if (!other || signalDbm > other.signalDbm) strongest.set(bssid, reading)
  }
  return [...strongest.values()].sort((a, b) => a.bssid - b.bssid)
}

function mayRepeat(previous: Contribution, scan: Contribution): boolean {
  return (
    Math.abs(scan.atSeconds - previous.atSeconds) <= MEMORY_SECONDS &&
    movedMeters(previous, scan) > MOVED_METERS
  )
}

function signalsOf(readings: readonly Reading[]): ReadonlyMap<number, ReadonlySet<number>> {
  const signals = new Map<number, Set<number>>()
  for (const { bssid, signalDbm } of readings) {
    const known = signals.get(bssid) ?? new Set()
    signals.set(bssid, known.add(signalDbm))
  }
  return signals
}
