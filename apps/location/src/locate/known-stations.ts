import { BASE_LAYER } from '../ground/layer.js'
import type { ReadPool } from '../ground/read-pool.js'
import { keyColumns, keyParameters, keyValues, sameKey } from '../ground/stations/key-sql.js'
import type { AnyStation, Station } from '../ground/stations/station.js'

/** Rows of a station in one layer: at most one of each table. */
export interface LayerRows {
  /** The imported columns of the station. */
  imported?: readonly unknown[]
  statistics?: Uint8Array
}

/** Rows of a station in the layers. */
export interface KnownStation<Key> {
  readonly key: Key
  readonly own: LayerRows
  /** The base layer has imported rows only. */
  readonly base: LayerRows
}

type Row = [isBase: boolean, statistics: Uint8Array | null, ...columns: unknown[]]

/** Reads what an organization and the base layer store of stations, in one round trip. */
export async function readStations<Key>(
  pool: ReadPool,
  station: Station<Key, unknown>,
  organizationId: string,
  keys: readonly Key[],
): Promise<KnownStation<Key>[]> {
  const values = stationParameters(station, organizationId, keys)
  const rows = await pool.tuples<Row>(`read-known-${station.name}`, readStationsSql(station), values)
  const known = new Map<number | string, KnownStation<Key>>()
  const { length } = station.columns
  for (const [isBase, statistics, ...columns] of rows) {
    const key = station.keyOf(columns.slice(0, length) as number[]) // the columns of the key are numbers
    const id = station.idOf(key)
    let one = known.get(id)
    if (!one) known.set(id, (one = { key, own: {}, base: {} }))
    const layer = isBase ? one.base : one.own
    if (statistics) layer.statistics = statistics
    else layer.imported = columns.slice(length)
  }
  return [...known.values()]
}

/** Returns learned statistics, decoded. */
export function learnedIn<Statistics>(
  station: Station<unknown, Statistics>,
  { statistics }: LayerRows,
): { readonly statistics?: Statistics } {
  return statistics ? { statistics: station.decode(statistics) } : {}
}

/** For each key short ranges of two primary keys, in the one partition that can hold it; `= ANY` would search all of them. */
export function readStationsSql(station: AnyStation): string {
  const { imported, learned } = station.tables
  const columns = keyColumns(station)
  const same = sameKey(station, 'known', 'asked')
  const places = station.importedColumns
  return `
    SELECT found.* FROM unnest(${keyParameters(station, 3)}) AS asked (${columns}) CROSS JOIN LATERAL (
      (SELECT organization_id = $1 AS is_base, NULL::bytea AS statistics, ${columns}, ${places.join(', ')}
      FROM ${imported} AS known WHERE ${same} AND organization_id IN ($1::uuid, $2::uuid) LIMIT 2)
      UNION ALL
      (SELECT false, statistics, ${columns}, ${places.map(() => 'NULL').join(', ')}
      FROM ${learned} AS known WHERE ${same} AND organization_id = $2::uuid LIMIT 1)
    ) AS found`
}

/** Returns the parameters of {@link readStationsSql}; lists as text, which the driver writes slowly. */
export function stationParameters<Key>(
  station: Station<Key, unknown>,
  organizationId: string,
  keys: readonly Key[],
): string[] {
  const lists = keyValues(station, keys).map((values) => `{${values.join(',')}}`)
  return [BASE_LAYER, organizationId.toLowerCase(), ...lists]
}
