import type pg from 'pg'

/**
 * Planner settings for statements about many addresses: one plan, by the index, even if the table was small when it was last
 * analyzed. An import that fills an empty table in parts would else read all of it for each statement of its second part.
 */
const PLAN_FOR_MANY = 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off'
const PLAN_AS_BEFORE = 'SET LOCAL plan_cache_mode = DEFAULT; SET LOCAL enable_seqscan = DEFAULT'

/** Some of many access points. */
export interface AddressPart {
  readonly numbers: Uint32Array
  /** Their addresses, in the same order: a `bigint[]`. */
  readonly addresses: Buffer
}

/**
 * Runs a statement for a part of many access points after the other. Sorted addresses in an `= ANY` make Postgres walk along the
 * index once and skip what lies between them, instead of looking for each (PostgreSQL 17 and later).
 *
 * @param client in a transaction
 * @param numbers of the access points, in the order of their addresses
 * @param bssidOf the address of each
 * @param atOnce how many there are in a part
 */
export async function forAddressParts(
  client: pg.ClientBase,
  numbers: Uint32Array,
  bssidOf: (number: number) => number,
  atOnce: number,
  run: (part: AddressPart) => Promise<void>,
): Promise<void> {
  await client.query(PLAN_FOR_MANY)
  for (let from = 0; from < numbers.length; from += atOnce) {
    const part = numbers.subarray(from, from + atOnce)
    await run({ numbers: part, addresses: arrayOf(part, bssidOf) })
  }
  await client.query(PLAN_AS_BEFORE)
}

/** Type of a `bigint` in the catalog of Postgres. */
const BIGINT = 20

/** Addresses as a `bigint[]` in Postgres' binary format: one dimension that counts from 1, and no nulls. */
function arrayOf(numbers: Uint32Array, bssidOf: (number: number) => number): Buffer {
  const bytes = Buffer.allocUnsafe(20 + numbers.length * 12)
  let end = 0
  for (const field of [1, 0, BIGINT, numbers.length, 1]) end = bytes.writeInt32BE(field, end)
  for (const number of numbers) {
    const bssid = bssidOf(number)
    end = bytes.writeInt32BE(8, end)
    end = bytes.writeUInt32BE(Math.floor(bssid / 2 ** 32), end)
    end = bytes.writeUInt32BE(bssid % 2 ** 32, end)
  }
  return bytes
}
