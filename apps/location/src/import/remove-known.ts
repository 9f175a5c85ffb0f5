import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import { forAddressParts } from './address-parts.js'

const REMOVE_KNOWN = {
  name: 'remove-known',
  text: `WITH removed AS (
    DELETE FROM access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[])
    RETURNING observations, updated_at
  )
  SELECT count(*) AS rows, count(*) FILTER (WHERE updated_at <> $3) AS earlier,
    coalesce(sum(observations), 0) AS observations
  FROM removed`,
  columns: { rows: 'int8', earlier: 'int8', observations: 'int8' },
} as const

/** Addresses of one statement: listing them takes below half a millisecond. */
const BATCH = 8_000

/** Numbers of rows and observations that were removed from a layer. */
export interface Removed {
  readonly rows: number
  /** Of these the ones that were there before this moment: an earlier part of the same import has not written them. */
  readonly earlier: number
  readonly observations: number
}

/**
 * Removes access points from a layer, where it has them.
 *
 * @param client in the transaction of the commit, which holds the lock of the layer
 * @param now as of which it is
 * @param numbers of the access points, in the order of their addresses
 * @param bssidOf the address of each
 */
export async function removeKnown(
  client: pg.ClientBase,
  { layer, now }: { readonly layer: string; readonly now: Date },
  numbers: Uint32Array,
  bssidOf: (number: number) => number,
): Promise<Removed> {
  const removed = { rows: 0, earlier: 0, observations: 0 }
  await forAddressParts(client, numbers, bssidOf, BATCH, async ({ addresses }) => {
    const [row] = await readRows(client, REMOVE_KNOWN, [layer, addresses, now])
    removed.rows += row?.rows ?? 0
    removed.earlier += row?.earlier ?? 0
    removed.observations += row?.observations ?? 0
  })
  return removed
}
