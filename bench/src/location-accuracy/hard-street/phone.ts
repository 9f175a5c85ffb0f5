import { normal } from '../../numbers.js'
import type { Spot } from '../flat.js'
import type { Reading } from '../scan-set.js'
import type { Severity } from './severities.js'
import { shadowing } from './shadowing.js'
import type { Transmitter } from './town.js'

/** Hands and bodies change a signal between two scans by some 3 dB. */
const FADING_DB = 3
const FARTHEST_METERS = 350
/** A scan receives half of the access points of this strength, fewer below, and misses a tenth of strong ones. */
const SENSITIVITY = { dbm: -85, widthDb: 2, missed: 0.1 } as const
const STRONGEST_DBM = -30
/** Time that caches keep a signal, in seconds. */
const CACHE_SECONDS = { least: 20, most: 120 } as const
/** Share of phones that say how old their readings are: exports of most apps do not. */
const SAYS_AGES = 0.3

interface Cached {
  readonly signalDbm: number
  readonly seconds: number
}

/** A phone with an offset of its own, and a cache of what it has received. */
export class Phone {
  private readonly offsetDb: number
  private readonly cacheSeconds: number
  private readonly saysAges: boolean
  private readonly cache = new Map<number, Cached>()

  constructor(
    private readonly severity: Severity,
    private readonly transmitters: readonly Transmitter[],
    private readonly next: () => number,
  ) {
    this.offsetDb = severity.radio.offsetDb * normal(next)
    this.cacheSeconds = CACHE_SECONDS.least + (CACHE_SECONDS.most - CACHE_SECONDS.least) * next()
    this.saysAges = next() < SAYS_AGES
  }

  /** Returns what the phone reports at a spot, the strongest first: what it has received, and what is left in its cache. */
  scan(spot: Spot, seconds: number): Reading[] {
    const { next, cache, severity } = this
    const received = this.receive(spot, seconds)
    const reported: Reading[] = []
    for (const [bssid, { signalDbm, seconds: then }] of cache) {
      if (seconds - then > this.cacheSeconds) cache.delete(bssid)
      else if (next() < (received.has(bssid) ? severity.cachedIfReceived : severity.cachedIfMissed)) {
        received.delete(bssid)
        reported.push({ bssid, signalDbm, ageMs: this.saysAges ? 1_000 * (seconds - then) : 0 })
      }
    }
    for (const [bssid, signalDbm] of received) {
      cache.set(bssid, { signalDbm, seconds })
      reported.push({ bssid, signalDbm, ageMs: this.saysAges ? Math.ceil(3_000 * next()) : 0 })
    }
    return reported.sort((a, b) => b.signalDbm - a.signalDbm || a.bssid - b.bssid)
  }

  private receive(spot: Spot, seconds: number): Map<number, number> {
    const { next, severity } = this
    const { dbADecade, shadowDb } = severity.radio
    const received = new Map<number, number>()
    for (const transmitter of this.transmitters) {
      const from = transmitter.spotAt(seconds)
      const meters = Math.hypot(from.x - spot.x, from.y - spot.y)
      if (meters > FARTHEST_METERS) continue
      const signalDbm =
        transmitter.sentDbm -
        dbADecade * Math.log10(Math.max(1, meters)) +
        shadowDb * shadowing(transmitter.index, spot) +
        FADING_DB * normal(next) +
        this.offsetDb
      const odds = Math.exp((signalDbm - SENSITIVITY.dbm) / SENSITIVITY.widthDb)
      if (next() >= (1 - SENSITIVITY.missed) / (1 + 1 / odds)) continue
      received.set(transmitter.bssidAt(seconds), Math.round(Math.min(STRONGEST_DBM, signalDbm)))
    }
    return received
  }
}
