import { orderAddresses } from '../scans/address-order.js'
import type { Coordinates } from '../earth/sphere.js'

/** Rows that are moved between two stops: below a tenth of a millisecond. */
const TURN = 4_000

/**
 * Gathers what lists declare: the last row of each access point counts. Nothing is looked for when a row comes; the same
 * addresses meet when the rows are ordered. Memory is set aside once.
 */
export class DeclaredPlaces {
  private count = 0
  private bssids: Float64Array
  private lats: Float64Array
  private lons: Float64Array

  /** @param capacity how many rows it holds */
  constructor(private readonly capacity: number) {
    this.bssids = new Float64Array(capacity)
    this.lats = new Float64Array(capacity)
    this.lons = new Float64Array(capacity)
  }

  /** Number of rows; includes those of repeated access points until {@link tidy}. */
  get size(): number {
    return this.count
  }

  /** Says where an access point is, whatever was said before. */
  declare(bssid: number, lat: number, lon: number): void {
    if (this.count >= this.capacity)
      throw new RangeError(`no room for more than ${String(this.capacity)} rows`)
    this.bssids[this.count] = bssid
    this.lats[this.count] = lat
    this.lons[this.count] = lon
    this.count++
  }

  /**
   * Returns the numbers of the rows that count, those with the lowest addresses first. Yields again and again, so that
   * the caller can give others their turn.
   */
  *inOrder(): Generator<void, Uint32Array, undefined> {
    const order = yield* orderAddresses(this.bssids, this.count)
    let kept = 0
    for (let at = 0; at < order.length; at++) {
      const number = order[at] ?? 0
      // Those of the same address are in the order in which they came.
      if (kept > 0 && this.bssid(order[kept - 1] ?? 0) === this.bssid(number)) kept--
      order[kept++] = number
      if (at % TURN === TURN - 1) yield
    }
    return order.subarray(0, kept)
  }

  /** Drops the rows that do not count, and renumbers the others. Yields as {@link inOrder} does. */
  *tidy(): Generator<void, void, undefined> {
    const order = yield* this.inOrder()
    if (order.length === this.count) return
    const tidied = new DeclaredPlaces(this.capacity)
    for (const [at, number] of order.entries()) {
      const { lat, lon } = this.place(number)
      tidied.declare(this.bssid(number), lat, lon)
      if (at % TURN === TURN - 1) yield
    }
    this.count = tidied.count
    this.bssids = tidied.bssids
    this.lats = tidied.lats
    this.lons = tidied.lons
  }

  /** @param number of a row: from 0, in the order in which they came */
  bssid(number: number): number {
    return this.bssids[number] ?? 0
  }

  /** @param number as of {@link bssid} */
  place(number: number): Coordinates {
    return { lat: this.lats[number] ?? 0, lon: this.lons[number] ?? 0 }
  }

  /** Removes everything. */
  clear(): void {
    this.count = 0
  }
}
