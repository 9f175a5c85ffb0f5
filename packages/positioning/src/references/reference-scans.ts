import {
  buffersOf,
  heightOf,
  referenceIndex,
  type ReferenceIndex,
  type ReferenceScan,
} from './reference-index.js'
import { numberOf } from '../scans/numbering.js'
import type { Scan } from '../scans/scan.js'
import type { Vector } from '../earth/sphere.js'
import { DEVICE_OFFSETS, UNKNOWN_SIGNAL_DBM } from '../fields/signal-model.js'

/** A reference scan that is like the one that is asked for. */
export interface Match {
  readonly place: Vector
  /** Likelihood that both were taken in one place, as a share of all matches; they sum to 1. */
  readonly weight: number
  /** Index of its floor in {@link Matches.floorNames}, plus 1; 0 if it does not say. */
  readonly floor: number
  /** Meters above the sea, and how far that may be off; NaN where it does not say. */
  readonly altitude: number
  readonly altitudeAccuracy: number
}

/** Result of a comparison of a scan with the reference scans. */
export interface Matches {
  /** The likest ones, at most {@link MOST_MATCHES}, the likest first; empty where no access point of the scan is in any. */
  readonly matches: readonly Match[]
  /** Cosine between the scan and the likest one, 0 to 1. */
  readonly similarity: number
  readonly floorNames: readonly string[]
}

/** Result if there is nothing to compare with. */
export const NO_MATCHES: Matches = { matches: [], similarity: 0, floorNames: [] }

const MOST_MATCHES = 30
/** Signals of access points that are not heard are below this, in dBm. */
const FLOOR_DBM = -95
/**
 * Difference between two scans of one place, in dB: each by some 5 or 6 from the usual signal there, so √2 times as much. And the
 * degrees of freedom of Student's t by which outliers are recognized.
 */
const NOISE_DB = 8
const DEGREES = 4
/**
 * The share of evidence that is believed: readings of one scan are wrong together, so n of them are worth
 * 0.8 · n / (1 + n / 10), which is never more than 8. With more, a few reference scans decide, and their positions are
 * themselves off.
 */
const TEMPER = { share: 0.8, readings: 10 } as const
/** Weight of an access point that only the reference scan heard: devices send their strongest ones alone. */
const UNSENT_SHARE = 0.5

/**
 * The reference scans of a project, behind an inverted index. Reading it does not change it, but one query at a time uses
 * its scratch memory: queries are synchronous.
 *
 * First the scans with the highest cosine of (s + 100 dB) are found through the lists of what each access point is in;
 * those are then weighed by the likelihood of all differences: of Student's t for what both heard, with an unknown offset
 * of the device, and of a signal that fell below the floor for what one heard alone.
 */
export class ReferenceScans {
  /** Of the query and each scan; 0 between queries, and where they have no access point in common. */
  private readonly products: Float32Array
  /** The scans whose product is not 0, in no order: a few of all, and what a query goes through. */
  private readonly touched: Uint32Array
  /** Signals of the scan, by access point; {@link NOT_HEARD} elsewhere. */
  private readonly heard: Float32Array
  /** The likest scans, the likest first, and their cosines. */
  private readonly candidates = new Uint32Array(MOST_MATCHES)
  private readonly cosines = new Float64Array(MOST_MATCHES)
  private readonly weights = new Float64Array(MOST_MATCHES)
  /** Access points that the query has in common with any scan, and their signals. */
  private readonly asked: number[] = []
  private readonly askedDbm: number[] = []

  private isReleased = false

  constructor(private readonly index: ReferenceIndex) {
    this.products = new Float32Array(index.norms.length)
    this.touched = new Uint32Array(index.norms.length)
    this.heard = new Float32Array(index.numbering.size).fill(NOT_HEARD)
  }

  /** Indexes scans first. */
  static of(scans: readonly ReferenceScan[]): ReferenceScans {
    const readings = scans.reduce((sum, scan) => sum + scan.readings.length, 0)
    return new ReferenceScans(referenceIndex(scans, { scans: scans.length, readings }))
  }

  /** Number of reference scans. */
  get size(): number {
    return this.index.norms.length
  }

  /**
   * Frees its memory immediately; from then on nothing is like any scan. Left to garbage collection, some megabytes
   * more would soon make it go through everything else.
   */
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    for (const buffer of buffersOf(this.index)) buffer.transfer(0)
  }

  /** Finds what is like a scan. */
  match(scan: Scan): Matches {
    if (this.isReleased) return NO_MATCHES
    const length = this.read(scan)
    const count = this.nearest()
    if (count === 0) return NO_MATCHES
    this.weigh(count)
    const { candidates, cosines, weights } = this
    const { places, floors, altitudes, floorNames } = this.index
    const matches: Match[] = []
    for (let rank = 0; rank < count; rank++) {
      const scan = candidates[rank] ?? 0
      const at = 3 * scan
      const place = { x: places[at] ?? 0, y: places[at + 1] ?? 0, z: places[at + 2] ?? 0 }
      matches.push({
        place,
        weight: weights[rank] ?? 0,
        floor: floors[scan] ?? 0,
        altitude: altitudes[2 * scan] ?? NaN,
        altitudeAccuracy: altitudes[2 * scan + 1] ?? NaN,
      })
    }
    return { matches, similarity: Math.min(1, (cosines[0] ?? 0) / length), floorNames }
  }

  /** @returns the length of the vector of heights of a scan */
  private read(scan: Scan): number {
    const { asked, askedDbm } = this
    asked.length = 0
    askedDbm.length = 0
    let squares = 0
    for (const [bssid, signalDbm = UNKNOWN_SIGNAL_DBM] of scan) {
      squares += heightOf(signalDbm) ** 2
      const index = numberOf(this.index.numbering, bssid)
      if (index === undefined) continue
      asked.push(index)
      askedDbm.push(signalDbm)
    }
    return Math.sqrt(squares)
  }

  /**
   * Finds those with the highest cosines, the highest first; of the same cosine, the first of them.
   *
   * @returns how many
   */
  private nearest(): number {
    const { products, touched, candidates, cosines, asked, askedDbm } = this
    const { norms } = this.index
    let touches = 0
    for (const [at, index] of asked.entries())
      touches = this.addProducts(index, heightOf(askedDbm[at] ?? 0), touches)
    let [count, least] = [0, 0]
    for (let touch = 0; touch < touches; touch++) {
      const candidate = touched[touch] ?? 0
      const product = products[candidate] ?? 0
      products[candidate] = 0
      const norm = norms[candidate] ?? 1
      // Most are far below: a division for each would take longer than all the rest.
      if (product < least * norm * CERTAINLY) continue
      const cosine = product / norm
      if (count === MOST_MATCHES && !this.isBefore(MOST_MATCHES - 1, cosine, candidate)) continue
      let rank = count < MOST_MATCHES ? count++ : MOST_MATCHES - 1
      for (; rank > 0 && this.isBefore(rank - 1, cosine, candidate); rank--) {
        cosines[rank] = cosines[rank - 1] ?? 0
        candidates[rank] = candidates[rank - 1] ?? 0
      }
      cosines[rank] = cosine
      candidates[rank] = candidate
      if (count === MOST_MATCHES) least = cosines[MOST_MATCHES - 1] ?? 0
    }
    return count
  }

  /** Returns whether a scan is to stand before the one at a rank. */
  private isBefore(rank: number, cosine: number, candidate: number): boolean {
    const other = this.cosines[rank] ?? 0
    return cosine > other || (cosine === other && candidate < (this.candidates[rank] ?? 0))
  }

  /** @returns how many scans are touched now */
  private addProducts(index: number, own: number, before: number): number {
    const { products, touched } = this
    const { listStarts, lists, heights } = this.index
    const end = listStarts[index + 1] ?? 0
    let touches = before
    for (let at = listStarts[index] ?? 0; at < end; at++) {
      const scan = lists[at] ?? 0
      const product = products[scan] ?? 0
      // Heights are at least 1, so no other product is 0.
      if (product === 0) touched[touches++] = scan
      products[scan] = product + own * (heights[at] ?? 0)
    }
    return touches
  }

  /** Weighs the likest scans by their tempered likelihoods. */
  private weigh(count: number): void {
    const { heard, asked, askedDbm, candidates, weights } = this
    let missed = 0
    for (const [at, index] of asked.entries()) {
      const signalDbm = askedDbm[at] ?? 0
      heard[index] = signalDbm
      missed += surprise(Math.max(0, signalDbm - FLOOR_DBM))
    }
    const temper = TEMPER.share / (1 + asked.length / TEMPER.readings)
    let best = -Infinity
    for (let rank = 0; rank < count; rank++) {
      const log = -temper * (missed + this.surpriseOf(candidates[rank] ?? 0))
      weights[rank] = log
      best = Math.max(best, log)
    }
    for (const index of asked) heard[index] = NOT_HEARD
    let total = 0
    for (let rank = 0; rank < count; rank++) {
      const weight = Math.exp((weights[rank] ?? 0) - best)
      weights[rank] = weight
      total += weight
    }
    for (let rank = 0; rank < count; rank++) weights[rank] = (weights[rank] ?? 0) / total
  }

  /** Returns how surprising the differences are, given that `missed` was counted for everything that the scan heard. */
  private surpriseOf(candidate: number): number {
    const { scanStarts, members, signals } = this.index
    const end = scanStarts[candidate + 1] ?? 0
    let [low, middle, high, alone] = [0, 0, 0, 0]
    for (let at = scanStarts[candidate] ?? 0; at < end; at++) {
      const signalDbm = signals[at] ?? 0
      const heardDbm = this.heard[members[at] ?? 0] ?? NOT_HEARD
      if (heardDbm === NOT_HEARD) {
        alone += UNSENT_SHARE * surprise(Math.max(0, signalDbm - FLOOR_DBM))
        continue
      }
      alone -= surprise(Math.max(0, heardDbm - FLOOR_DBM))
      // Written out for the three offsets: a loop over them takes twice as long.
      low += surprise(heardDbm - signalDbm - LOW.offsetDb)
      middle += surprise(heardDbm - signalDbm - MIDDLE.offsetDb)
      high += surprise(heardDbm - signalDbm - HIGH.offsetDb)
    }
    const least = Math.min(low, middle, high)
    const likelihood =
      LOW.probability * Math.exp(least - low) +
      MIDDLE.probability * Math.exp(least - middle) +
      HIGH.probability * Math.exp(least - high)
    return alone + least - Math.log(likelihood)
  }
}

const [LOW, MIDDLE, HIGH] = DEVICE_OFFSETS
/** A product that is below by more than this is below after any rounding. */
const CERTAINLY = 1 - 1e-9
/** Stands for a signal that was not heard; no signal is positive. */
const NOT_HEARD = 1

/** Minus the logarithm of Student's t of a difference in dB, up to a constant. */
function surprise(differenceDb: number): number {
  const halves = 2 * Math.abs(differenceDb)
  return halves < SURPRISES.length && halves === Math.trunc(halves)
    ? (SURPRISES[halves] ?? 0)
    : surpriseOfAny(differenceDb)
}

function surpriseOfAny(differenceDb: number): number {
  return 0.5 * (DEGREES + 1) * Math.log1p(differenceDb ** 2 / (DEGREES * NOISE_DB ** 2))
}

/** Of 0, 0.5, 1 … dB: signals are whole, and so are twice the {@link DEVICE_OFFSETS}. */
const SURPRISES = Float64Array.from({ length: 512 }, (_, halves) => surpriseOfAny(halves / 2))
