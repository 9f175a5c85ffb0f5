import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import { forAddressParts } from './address-parts.js'

const FIND_KNOWN = {
  name: 'find-known',
  text: 'SELECT bssid FROM access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[])',
  columns: [['bssid', 'int8']],
} as const

/** Addresses of one query: reading the answer takes below a millisecond. */
const BATCH = 2_000

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
  await forAddressParts(client, numbers, bssidOf, BATCH, async ({ numbers: asked, addresses }) => {
    const rows = await readRows(client, FIND_KNOWN, [layer, addresses])
    const found = new Set(rows.map(([bssid]) => bssid))
    for (const number of asked)
      if (found.has(bssidOf(number))) known[knownCount++] = number
      else unknown[unknownCount++] = number
  })
  return { known: known.subarray(0, knownCount), unknown: unknown.subarray(0, unknownCount) }
}
