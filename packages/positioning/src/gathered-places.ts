import { Numbering } from './numbering.js'
import { observationWeight } from './signal-weight.js'
import { toVector, type Vector } from './sphere.js'

/** Where an access point was found to be, by some observations or by a list. */
export interface GatheredPlace extends Vector {
  readonly bssid: number
  /** How many observations. */
  readonly observations: number
  /** Sum of their weights; 0 where a list said it. */
  readonly weight: number
  /** Sum of weight times squared distance from the place, in square metres. */
  readonly squares: number
}

/** Numbers that are held for each access point, in this order: observations, weight, x, y, z, squares, BSSID. */
const FIELDS = 7

/**
 * Gathers rows to one place for each access point, in memory that is set aside once.
 *
 * Observations are combined to their weighted mean, and the squares of their distances from it, one by one in a way that
 * stays exact (D. H. D. West, Updating mean and variance estimates, 1979). What two of these have gathered can be combined
 * again (`merge-statements.ts`).
 */
export class GatheredPlaces {
  private numbering: Numbering
  private readonly numbers: Float64Array

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
  }

  get size(): number {
    return this.numbering.size
  }

  /** Whether one more access point may not fit. */
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

  /** Says where an access point is, whatever was said before. */
  declare(bssid: number, lat: number, lon: number): void {
    const { numbers } = this
    const { x, y, z } = toVector({ lat, lon })
    const at = this.slotOf(bssid)
    numbers[at] = 1
    numbers[at + 1] = 0
    numbers[at + 2] = x
    numbers[at + 3] = y
    numbers[at + 4] = z
    numbers[at + 5] = 0
  }

  /** What was gathered, in the order in which addresses came first. */
  *places(): Generator<GatheredPlace> {
    const { numbers } = this
    for (let at = 0; at < this.size * FIELDS; at += FIELDS)
      yield {
        bssid: numbers[at + 6] ?? 0,
        observations: numbers[at] ?? 0,
        weight: numbers[at + 1] ?? 0,
        x: numbers[at + 2] ?? 0,
        y: numbers[at + 3] ?? 0,
        z: numbers[at + 4] ?? 0,
        squares: numbers[at + 5] ?? 0,
      }
  }

  /** Forgets everything. */
  clear(): void {
    this.numbering = new Numbering(this.seed)
  }

  /** Where the numbers of an access point begin. */
  private slotOf(bssid: number): number {
    if (this.isFull && this.numbering.get(bssid) === undefined)
      throw new RangeError(`no room for more than ${String(this.capacity)} access points`)
    const { size } = this
    const slot = this.numbering.number(bssid) * FIELDS
    if (this.size > size) {
      // Here and not all at once where everything is forgotten, which would take tens of milliseconds.
      this.numbers.fill(0, slot, slot + FIELDS)
      this.numbers[slot + 6] = bssid
    }
    return slot
  }
}
