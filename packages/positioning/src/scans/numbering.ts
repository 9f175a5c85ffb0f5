import { addressHash } from './address-hash.js'

/** Number of tables that the addresses are spread over; a power of two. */
const SHARDS = 256
/** Places of a table at first; a power of two. */
const FIRST_PLACES = 16
/** Stands where no address does. */
const NONE = 0

/** Open addressing with linear probing. */
interface Table {
  addresses: Float64Array<ArrayBuffer>
  numbers: Uint32Array<ArrayBuffer>
  used: number
}

/**
 * Addresses and their numbers, as they are once no more come: two arrays, which a thread can hand to another without a copy.
 */
export interface NumberedAddresses {
  /** Number of addresses. */
  readonly size: number
  readonly seed: number
  /** As many places as a power of two, of which no more than half are taken; 0 in the others. */
  readonly addresses: Float64Array<ArrayBuffer>
  readonly numbers: Uint32Array<ArrayBuffer>
}

/** Returns the number of an address; undefined if it has none. */
export function numberOf(numbered: NumberedAddresses, bssid: number): number | undefined {
  const place = placeOf(numbered, bssid, addressHash(bssid, numbered.seed))
  return numbered.addresses[place] === bssid ? numbered.numbers[place] : undefined
}

/**
 * Numbers addresses from 0, in the order in which they come. A map would hold each address as an object of its own, which
 * costs garbage collection milliseconds where there are a hundred thousand, and would copy all of them in one step when it
 * grows: they are spread over many tables, of which each is small.
 */
export class Numbering {
  private readonly tables = Array.from({ length: SHARDS }, () => emptyTable(FIRST_PLACES))
  private count = 0

  /** @param seed 32 bits that are secret: otherwise addresses could be chosen that collide */
  constructor(private readonly seed: number) {}

  /** Number of addresses that have a number. */
  get size(): number {
    return this.count
  }

  /** Returns the number of an address; undefined if it has none. */
  get(bssid: number): number | undefined {
    const mixed = addressHash(bssid, this.seed)
    const table = this.tableOf(mixed)
    const place = placeOf(table, bssid, mixed)
    return table.addresses[place] === bssid ? table.numbers[place] : undefined
  }

  /**
   * Returns the number of an address, the next one if it has none.
   *
   * @param bssid more than 0, as every usable one
   */
  number(bssid: number): number {
    const mixed = addressHash(bssid, this.seed)
    const table = this.tableOf(mixed)
    const place = placeOf(table, bssid, mixed)
    if (table.addresses[place] === bssid) return table.numbers[place] ?? 0
    const number = this.count++
    put(table, place, bssid, number)
    if (2 * table.used > table.addresses.length) this.grow(table)
    return number
  }

  /** Returns what was numbered until now. */
  packed(): NumberedAddresses {
    let places = FIRST_PLACES
    while (places < 2 * this.count) places *= 2
    const addresses = new Float64Array(places)
    const numbers = new Uint32Array(places)
    for (const table of this.tables)
      table.addresses.forEach((bssid, index) => {
        if (bssid === NONE) return
        const place = placeOf({ addresses }, bssid, addressHash(bssid, this.seed))
        addresses[place] = bssid
        numbers[place] = table.numbers[index] ?? 0
      })
    return { size: this.count, seed: this.seed, addresses, numbers }
  }

  private tableOf(mixed: number): Table {
    return this.tables[mixed & (SHARDS - 1)] ?? emptyTable(FIRST_PLACES)
  }

  private grow(table: Table): void {
    const { addresses, numbers } = table
    Object.assign(table, emptyTable(2 * addresses.length))
    addresses.forEach((bssid, index) => {
      if (bssid === NONE) return
      put(table, placeOf(table, bssid, addressHash(bssid, this.seed)), bssid, numbers[index] ?? 0)
    })
  }
}

function emptyTable(places: number): Table {
  return { addresses: new Float64Array(places), numbers: new Uint32Array(places), used: 0 }
}

/** Returns where an address is, or would be put. */
function placeOf({ addresses }: Pick<Table, 'addresses'>, bssid: number, mixed: number): number {
  const mask = addresses.length - 1
  let place = (mixed >>> 8) & mask
  while (addresses[place] !== NONE && addresses[place] !== bssid) place = (place + 1) & mask
  return place
}

function put(table: Table, place: number, bssid: number, number: number): void {
  table.addresses[place] = bssid
  table.numbers[place] = number
  table.used++
}
