import { ACCESS_POINT } from '../ground/stations/access-point.js'
import { keyColumns, keyParameters, keyValues, sameKey } from '../ground/stations/key-sql.js'
import type { Station } from '../ground/stations/station.js'

/** A connection in a transaction. */
export interface Client {
  query(text: string, values: unknown[]): Promise<{ readonly rowCount: number | null }>
}

/** Adds tombstones. Erased again: what an older version stored in between is swept again. */
export async function addTombstones<Key>(
  client: Client,
  station: Station<Key, unknown>,
  layer: string,
  keys: readonly Key[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return
  const columns = keyColumns(station)
  await client.query(
    `INSERT INTO ${station.tables.tombstones} (organization_id, ${columns}, forgotten_at, swept_at)
     SELECT $1::uuid, ${columns}, $2::timestamptz, NULL FROM unnest(${keyParameters(station, 3)}) AS given (${columns}) ORDER BY ${columns}
     ON CONFLICT (organization_id, ${columns}) DO UPDATE SET swept_at = NULL`,
    [layer, now, ...keyValues(station, keys)],
  )
}

/** Removes learned rows, locked in their order. */
export async function removeLearnedRows<Key>(
  client: Client,
  station: Station<Key, unknown>,
  layer: string,
  keys: readonly Key[],
): Promise<number> {
  if (keys.length === 0) return 0
  const columns = keyColumns(station)
  const { rowCount } = await client.query(
    `WITH gone AS MATERIALIZED (
       SELECT ${columns} FROM unnest(${keyParameters(station, 2)}) AS given (${columns})
       JOIN ${station.tables.learned} AS known USING (${columns})
       WHERE organization_id = $1::uuid ORDER BY ${columns} FOR UPDATE OF known
     ) DELETE FROM ${station.tables.learned} AS known USING gone WHERE organization_id = $1::uuid AND ${sameKey(station, 'known', 'gone')}`,
    [layer, ...keyValues(station, keys)],
  )
  return rowCount ?? 0
}

/** Removes imported access points and subtracts them from the sums of the layer, whose row the caller holds. */
export async function removeImportedAccessPoints(
  client: Client,
  layer: string,
  bssids: readonly number[],
  now: Date,
): Promise<void> {
  await client.query(
    `WITH gone AS (
       DELETE FROM ${ACCESS_POINT.tables.imported} WHERE organization_id = $1 AND bssid = ANY ($2::bigint[]) RETURNING observations
     ) UPDATE layers SET access_points = access_points - (SELECT count(*) FROM gone),
       observations = observations - (SELECT coalesce(sum(observations), 0) FROM gone), updated_at = $3
     WHERE organization_id = $1`,
    [layer, bssids, now],
  )
}
