import type pg from 'pg'
import { NUMBERS } from '../learning/packed-bytes.js'

/**
 * Those of many addresses that a layer has. They are sorted, so Postgres walks along the index once and skips what lies
 * between them, instead of looking for each (PostgreSQL 17 and later).
 */
const FIND_KNOWN = 'SELECT bssid FROM access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[])'
/**
 * How that is planned: once, and by the index, however small the table was when it was last looked at. An import that fills an
 * empty table in parts would else read all of it for each question of its second part.
 */
const PLAN_FOR_MANY = 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off'
const PLAN_AS_BEFORE = 'SET LOCAL plan_cache_mode = DEFAULT; SET LOCAL enable_seqscan = DEFAULT'

/** Addresses that are asked about at once: reading the answer takes below a millisecond. */
const AT_ONCE = 2_000

/** Numbers of access points, in the order in which they were given. */
export interface Sorted {
  /** Those that the layer has. */
  readonly known: Uint32Array
  readonly unknown: Uint32Array
}

/**
 * Sorts out which access points a layer has.
 *
 * @param client in a transaction
 * @param numbers of the access points, in the order of their addresses
 * @param bssidOf the address of each
 */
export async function findKnown(
  client: pg.ClientBase,
  layer: string,
  numbers: Uint32Array,
  bssidOf: (number: number) => number,
): Promise<Sorted> {
  const known = new Uint32Array(numbers.length)
  const unknown = new Uint32Array(numbers.length)
  let knownCount = 0
  let unknownCount = 0
  await client.query(PLAN_FOR_MANY)
  for (let from = 0; from < numbers.length; from += AT_ONCE) {
    const asked = numbers.subarray(from, from + AT_ONCE)
    const { rows } = await client.query<[bssid: number]>({
      name: 'find-known',
      text: FIND_KNOWN,
      values: [layer, arrayOf(asked, bssidOf)],
      rowMode: 'array',
      types: NUMBERS,
    })
    const found = new Set(rows.map(([bssid]) => bssid))
    for (const number of asked)
      if (found.has(bssidOf(number))) known[knownCount++] = number
      else unknown[unknownCount++] = number
  }
  await client.query(PLAN_AS_BEFORE)
  return { known: known.subarray(0, knownCount), unknown: unknown.subarray(0, unknownCount) }
}

/** Type of a `bigint` in the catalogue of Postgres. */
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
