import { MAX_ACCESS_POINTS } from '@bearing/contracts/location/access-points/heard-access-point'
import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import {
  USUAL_ADDRESS,
  USUAL_AGE,
  USUAL_FIELDS,
  USUAL_SIGNAL,
  type UsualScan,
} from '@bearing/contracts/location/scans/usual-scan'
import { serialOf } from './radio.js'
import { MOST_OLDER_MS } from './usable-readings.js'

/**
 * The readings of a usual scan that say where the device is now, by serial and BSSID: what `usableReadings` returns for it, as numbers
 * that are reused for the next scan.
 */
export class UsableNumbers {
  readonly bssids = new Float64Array(MAX_ACCESS_POINTS)
  /** In dBm; NaN if the device did not say. */
  readonly signals = new Float64Array(MAX_ACCESS_POINTS)
  private readonly serials = new Float64Array(MAX_ACCESS_POINTS)
  private length = 0

  get count(): number {
    return this.length
  }

  /** Replaces them by those of a scan. */
  read({ numbers }: UsualScan): void {
    this.length = 0
    const { latestMs, sign } = latestOf(numbers)
    for (let at = 0; at < numbers.length; at += USUAL_FIELDS) {
      const bssid = numbers[at + USUAL_ADDRESS] ?? 0
      const ageMs = sign * (numbers[at + USUAL_AGE] ?? 0)
      // False without an age, and for one of the future.
      if (ageMs - latestMs > MOST_OLDER_MS || !isUsableBssid(bssid)) continue
      this.insert(bssid, numbers[at + USUAL_SIGNAL] ?? 0)
    }
  }

  private insert(bssid: number, signalDbm: number): void {
    const { bssids, signals, serials } = this
    const serial = serialOf(bssid)
    let at = this.length
    while (at > 0 && this.isAfter(at - 1, serial, bssid)) at--
    if (at > 0 && bssids[at - 1] === bssid) {
      const before = signals[at - 1] ?? 0
      if (Number.isNaN(before) || signalDbm > before) signals[at - 1] = signalDbm
      return
    }
    for (let to = this.length++; to > at; to--) {
      bssids[to] = bssids[to - 1] ?? 0
      signals[to] = signals[to - 1] ?? 0
      serials[to] = serials[to - 1] ?? 0
    }
    bssids[at] = bssid
    signals[at] = signalDbm
    serials[at] = serial
  }

  private isAfter(at: number, serial: number, bssid: number): boolean {
    const other = this.serials[at] ?? 0
    return other > serial || (other === serial && (this.bssids[at] ?? 0) > bssid)
  }
}

/**
 * Returns the least age, NaN if none is given, and the sign that the device writes ages with, as `ageReader` reads them. Addresses that no
 * access point can have do not count.
 */
function latestOf(numbers: readonly number[]): { readonly latestMs: number; readonly sign: 1 | -1 } {
  let least = Number.NaN
  let leastNegative = Number.NaN
  let hasPositive = false
  for (let at = USUAL_AGE; at < numbers.length; at += USUAL_FIELDS) {
    const ageMs = numbers[at] ?? Number.NaN
    if (Number.isNaN(ageMs) || !isUsableBssid(numbers[at - USUAL_AGE + USUAL_ADDRESS] ?? 0)) continue
    if (ageMs > 0) hasPositive = true
    if (ageMs < 0) {
      if (!(-ageMs >= leastNegative)) leastNegative = -ageMs
    } else if (!(ageMs >= least)) least = ageMs
  }
  if (hasPositive || Number.isNaN(leastNegative)) return { latestMs: least, sign: 1 }
  return { latestMs: Number.isNaN(least) ? leastNegative : 0, sign: -1 }
}
