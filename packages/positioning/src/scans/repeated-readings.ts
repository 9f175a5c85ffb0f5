import type { HeardAccessPoint } from './scan.js'

/** A scan that a device has made before the one that is asked with. */
export interface PreviousScan {
  /** Time before the present scan, in milliseconds. */
  readonly ageMs: number
  readonly readings: readonly HeardAccessPoint[]
}

/** Readings older than this are no longer in a device's cache, in milliseconds. */
const CACHED_MS = 120_000
/** Readings younger than this come from nearby, even if they are repeated, in milliseconds: a pedestrian walks 15 m in this time. */
const NEARBY_MS = 10_000

interface Cached {
  readonly signalDbm: number
  /** Age of the first scan that had the signal, and of the last one. */
  readonly firstAgeMs: number
  readonly lastAgeMs: number
}

/** The latest signals of a device, by which it is recognized what it repeats. */
export class RepeatedReadings {
  private readonly cached = new Map<number, Cached>()

  constructor(previous: readonly PreviousScan[]) {
    const recent = previous.filter(({ ageMs }) => ageMs <= CACHED_MS).sort((a, b) => b.ageMs - a.ageMs)
    for (const { ageMs, readings } of recent) this.add(ageMs, readings)
  }

  /**
   * Returns whether a device repeats what it received elsewhere. Not what it says that it received since, by its age; an age of 0 says
   * nothing, because it is what many send who do not know it.
   */
  has({ bssid, signalDbm, ageMs = 0 }: HeardAccessPoint & { readonly ageMs?: number | undefined }): boolean {
    const before = this.cached.get(bssid)
    if (!before || before.signalDbm !== signalDbm || before.firstAgeMs < NEARBY_MS) return false
    return !(ageMs > 0 && ageMs < before.lastAgeMs)
  }

  /** Adds a scan that is later than all before it; of an address that it has twice the strongest signal. */
  private add(ageMs: number, readings: readonly HeardAccessPoint[]): void {
    const strongest = new Map<number, number>()
    for (const { bssid, signalDbm } of readings)
      if (signalDbm !== undefined)
        strongest.set(bssid, Math.max(signalDbm, strongest.get(bssid) ?? -Infinity))
    for (const [bssid, signalDbm] of strongest) {
      const before = this.cached.get(bssid)
      const isSame = before?.signalDbm === signalDbm
      this.cached.set(bssid, { signalDbm, firstAgeMs: isSame ? before.firstAgeMs : ageMs, lastAgeMs: ageMs })
    }
  }
}
