import { orderAddresses } from '../scans/address-order.js'
import { Numbering } from '../scans/numbering.js'
import { observationWeight } from './signal-weight.js'
import { toVector, type Vector } from '../earth/sphere.js'

/** Position of an access point according to some observations. */
export interface GatheredPlace extends Vector {
  readonly bssid: number
  readonly observations: number
  /** Sum of their weights. */
  readonly weight: number
  /** Sum of weight times squared distance from the place, in square meters. */
  readonly squares: number
}

/** Numbers that are held for each access point, in this order: observations, weight, x, y, z, squares. */
const FIELDS = 6

/**
 * Gathers observations to one place for each access point, in memory that is set aside once.
 *
 * They are combined to their weighted mean, and the squares of their distances from it, one by one in a way that
 * stays exact (D. H. D. West, Updating mean and variance estimates, 1979). The results of two of these can be combined
 * again (`refine-statements.ts`).
 */
export class GatheredPlaces {
  private numbering: Numbering
  private readonly numbers: Float64Array
  private readonly bssids: Float64Array

  /**
   * @param capacity how many access points it holds
   * @param seed of the {@link Numbering}; what is gathered does not depend on it
   */
  constructor(
    private readonly capacity: number,
    private readonly seed: number,
  ) {
    this.numbering = new Numbering(seed)
    this.numbers = new Float64Array(capacity * FIELDS)
    this.bssids = new Float64Array(capacity)
  }

  get size(): number {
    return this.numbering.size
  }

  /** True if one more access point may not fit. */
  get isFull(): boolean {
    return this.size >= this.capacity
  }

  /** Adds an observation: heard here, this strong (dBm; undefined where it is not known). */
  observe(bssid: number, lat: number, lon: number, signalDbm: number | undefined): void {
    const { numbers } = this
    const place = toVector({ lat, lon })
    const added = observationWeight(signalDbm)
    const at = this.slotOf(bssid)
    const before = numbers[at + 1] ?? 0
    const x = numbers[at + 2] ?? 0
    const y = numbers[at + 3] ?? 0
    const z = numbers[at + 4] ?? 0
    const weight = before + added
    const dx = place.x - x
    const dy = place.y - y
    const dz = place.z - z
    const share = added / weight
    numbers[at] = (numbers[at] ?? 0) + 1
    numbers[at + 1] = weight
    numbers[at + 2] = x + dx * share
    numbers[at + 3] = y + dy * share
    numbers[at + 4] = z + dz * share
    numbers[at + 5] = (numbers[at + 5] ?? 0) + before * share * (dx * dx + dy * dy + dz * dz)
  }

  /**
   * Numbers of the access points, those with the lowest addresses first. Stops again and again, so that other work can run
   * in between.
   */
  inOrder(): Generator<void, Uint32Array, undefined> {
    return orderAddresses(this.bssids, this.size)
  }

  /** @param number of an access point: from 0, in the order in which addresses came first */
  bssid(number: number): number {
    return this.bssids[number] ?? 0
  }

  /** @param number as of {@link bssid} */
  place(number: number): GatheredPlace {
    const { numbers } = this
    const at = number * FIELDS
    return {
      bssid: this.bssid(number),
      observations: numbers[at] ?? 0,
      weight: numbers[at + 1] ?? 0,
      x: numbers[at + 2] ?? 0,
      y: numbers[at + 3] ?? 0,
      z: numbers[at + 4] ?? 0,
      squares: numbers[at + 5] ?? 0,
    }
  }

  /** Returns what was gathered, in the order in which addresses came first. */
  *places(): Generator<GatheredPlace> {
    for (let number = 0; number < this.size; number++) yield this.place(number)
  }

  /** Removes everything. */
  clear(): void {
    this.numbering = new Numbering(this.seed)
  }

  /** Returns where the numbers of an access point begin. */
  private slotOf(bssid: number): number {
    if (this.isFull && this.numbering.get(bssid) === undefined)
      throw new RangeError(`no room for more than ${String(this.capacity)} access points`)
    const { size } = this
    const number = this.numbering.number(bssid)
    const slot = number * FIELDS
    if (this.size > size) {
      // Here, and not in `clear`, where filling all slots would take tens of milliseconds.
      this.numbers.fill(0, slot, slot + FIELDS)
      this.bssids[number] = bssid
    }
    return slot
  }
}
