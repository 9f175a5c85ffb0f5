import { isLearned, type Knowledge } from './access-point-model.js'
import { centerOfDensest } from '../earth/densest-neighborhood.js'
import { BoxCounter, serialOf } from '../scans/radio.js'
import type { Scan } from '../scans/scan.js'
import { toVector, type Vector } from '../earth/sphere.js'

/** An access point that was heard, and has a position that it stays at. */
export interface Candidate {
  readonly bssid: number
  /** As in {@link HeardAccessPoint}. */
  readonly signalDbm: number | undefined
  readonly known: Knowledge
  /** Of what is known. */
  readonly place: Vector
}

/** Returns what is known of an access point, such as a map. */
export type KnowledgeByBssid = Pick<ReadonlyMap<number, Knowledge>, 'get'>

/** As in `locate.ts`. */
export const NEIGHBORHOOD_METERS = 500
const MAX_SPREAD_METERS = 500
/** Probability of moving above which an access point is left out. */
const MOVES = 0.9

/** Returns whether an access point has a position that it stays at. */
export function stays(known: Knowledge): boolean {
  return staysWithin(known.spreadMeters) && !(isLearned(known) && known.moving > MOVES)
}

/** Returns the same of one of which nothing but a position is known. */
export function staysWithin(spreadMeters: number): boolean {
  return spreadMeters <= MAX_SPREAD_METERS
}

// The numbers of a candidate, side by side.
const BSSID = 0
const SIGNAL_DBM = 1
const SERIAL = 2
const X = 3
const Y = 4
const Z = 5
const SPREAD = 6
const OBSERVATIONS = 7
const FIELDS = 8

/** Most scans have fewer. */
const CAPACITY = 64

/**
 * Access points that were heard, and have a position that they stay at, by serial and BSSID, so that the order of the scan does not
 * matter. Numbers in one array that is reused: an object and a vector for each took longer than the estimate.
 */
export class Candidates {
  private numbers = new Float64Array(CAPACITY * FIELDS)
  private known: (Knowledge | undefined)[] = []
  private count = 0

  get length(): number {
    return this.count
  }

  /** True if more than a position is known of one of them. */
  get hasLearned(): boolean {
    return this.known.some((known) => known && isLearned(known))
  }

  clear(): void {
    this.count = 0
    // Usually empty already.
    if (this.known.length > 0) this.known = []
  }

  /**
   * Adds one, after those with lower serials, and lower BSSIDs of the same.
   *
   * @param signalDbm NaN if the device did not say
   */
  addPlace(
    bssid: number,
    signalDbm: number,
    lat: number,
    lon: number,
    spreadMeters: number,
    observations: number,
  ): void {
    const at = this.count * FIELDS
    if (at === this.numbers.length) this.grow()
    const { numbers } = this
    const { x, y, z } = toVector({ lat, lon })
    numbers[at + BSSID] = bssid
    numbers[at + SIGNAL_DBM] = signalDbm
    numbers[at + SERIAL] = serialOf(bssid)
    numbers[at + X] = x
    numbers[at + Y] = y
    numbers[at + Z] = z
    numbers[at + SPREAD] = spreadMeters
    numbers[at + OBSERVATIONS] = observations
    this.count++
  }

  /** Adds one as {@link addPlace} does, and keeps what is known of it. */
  add(bssid: number, signalDbm: number | undefined, known: Knowledge): void {
    this.known[this.count] = known
    const { lat, lon, spreadMeters, observations } = known
    this.addPlace(bssid, signalDbm ?? Number.NaN, lat, lon, spreadMeters, observations)
  }

  /** Replaces them by those of two lists, of which nothing but positions is known. */
  merge(one: Candidates, other: Candidates): void {
    this.clear()
    let [ofOne, ofOther] = [0, 0]
    while (ofOne < one.count || ofOther < other.count)
      if (ofOther === other.count || (ofOne < one.count && one.isBefore(ofOne, other, ofOther)))
        this.copy(one, ofOne++)
      else this.copy(other, ofOther++)
  }

  /**
   * Leaves out those outside of the neighborhood where most of them agree (see `densestNeighborhood`).
   *
   * @returns whether all are in it
   */
  keepDensest(): boolean {
    const { numbers, count } = this
    const center = centerOfDensest({ numbers, first: X, step: FIELDS, count }, NEIGHBORHOOD_METERS)
    if (center === undefined) return true
    const [x, y, z] = [this.number(center, X), this.number(center, Y), this.number(center, Z)]
    let kept = 0
    for (let index = 0; index < count; index++) {
      if (this.squaredDistance(index, x, y, z) > NEIGHBORHOOD_METERS ** 2) continue
      numbers.copyWithin(kept * FIELDS, index * FIELDS, (index + 1) * FIELDS)
      if (this.known.length > 0) this.known[kept] = this.known[index]
      kept++
    }
    this.count = kept
    this.known.length = Math.min(this.known.length, kept)
    return false
  }

  /** Returns how many boxes they belong to at least ({@link BoxCounter}). */
  radios(): number {
    const counter = new BoxCounter()
    for (let index = 0; index < this.count; index++) counter.add(this.number(index, SERIAL))
    return counter.count
  }

  bssid(index: number): number {
    return this.number(index, BSSID)
  }

  /** Returns the signal strength; NaN if the device did not say. */
  signalDbm(index: number): number {
    return this.number(index, SIGNAL_DBM)
  }

  x(index: number): number {
    return this.number(index, X)
  }

  y(index: number): number {
    return this.number(index, Y)
  }

  z(index: number): number {
    return this.number(index, Z)
  }

  spreadMeters(index: number): number {
    return this.number(index, SPREAD)
  }

  observations(index: number): number {
    return this.number(index, OBSERVATIONS)
  }

  /** Returns the square of the distance from a place, in square meters. */
  squaredDistance(index: number, x: number, y: number, z: number): number {
    const byX = this.number(index, X) - x
    const byY = this.number(index, Y) - y
    const byZ = this.number(index, Z) - z
    return byX * byX + byY * byY + byZ * byZ
  }

  /** Returns how many came without a signal strength. */
  withoutSignal(): number {
    let without = 0
    for (let index = 0; index < this.count; index++) if (Number.isNaN(this.signalDbm(index))) without++
    return without
  }

  bssids(): number[] {
    const bssids = new Array<number>(this.count)
    for (let index = 0; index < this.count; index++) bssids[index] = this.bssid(index)
    return bssids
  }

  /** Returns those of which all is known that was added. */
  toList(): Candidate[] {
    const list: Candidate[] = []
    for (const [index, known] of this.known.entries()) {
      const signalDbm = this.signalDbm(index)
      if (known)
        list.push({
          bssid: this.bssid(index),
          signalDbm: Number.isNaN(signalDbm) ? undefined : signalDbm,
          known,
          place: { x: this.x(index), y: this.y(index), z: this.z(index) },
        })
    }
    return list
  }

  private number(index: number, field: number): number {
    return this.numbers[index * FIELDS + field] ?? 0
  }

  private isBefore(index: number, other: Candidates, ofOther: number): boolean {
    const bySerial = this.number(index, SERIAL) - other.number(ofOther, SERIAL)
    return bySerial < 0 || (bySerial === 0 && this.bssid(index) < other.bssid(ofOther))
  }

  private copy({ numbers }: Candidates, index: number): void {
    const at = this.count * FIELDS
    if (at === this.numbers.length) this.grow()
    for (let field = 0; field < FIELDS; field++)
      this.numbers[at + field] = numbers[index * FIELDS + field] ?? 0
    this.count++
  }

  private grow(): void {
    const numbers = new Float64Array(2 * this.numbers.length)
    numbers.set(this.numbers)
    this.numbers = numbers
  }
}

/** One that is going to be added. */
interface Unsorted {
  readonly bssid: number
  readonly serial: number
  readonly signalDbm: number | undefined
  readonly known: Knowledge
}

/** Gathers candidates in any order, and adds them in theirs. */
export class UnsortedCandidates {
  private readonly all: Unsorted[] = []

  add(bssid: number, signalDbm: number | undefined, known: Knowledge): void {
    this.all.push({ bssid, serial: serialOf(bssid), signalDbm, known })
  }

  /** Replaces what is in a list. */
  sortInto(candidates: Candidates): void {
    candidates.clear()
    for (const { bssid, signalDbm, known } of this.all.sort(bySerial)) candidates.add(bssid, signalDbm, known)
  }
}

function bySerial(a: Unsorted, b: Unsorted): number {
  return a.serial - b.serial || a.bssid - b.bssid
}

/** Of the call that runs: none waits for anything. */
const CANDIDATES = new Candidates()

/** Returns those with a position that they stay at. They are valid until the next call. */
export function candidatesOf(heard: Scan, known: KnowledgeByBssid): Candidates {
  const unsorted = new UnsortedCandidates()
  for (const [bssid, signalDbm] of heard) {
    const found = known.get(bssid)
    if (found && stays(found)) unsorted.add(bssid, signalDbm, found)
  }
  unsorted.sortInto(CANDIDATES)
  return CANDIDATES
}
