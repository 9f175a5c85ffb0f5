import { BASE_LAYER } from '../ground/layer.js'
import type { ReadPool } from '../ground/read-pool.js'
import type { RowOf } from '../ground/read-rows.js'
import { keyColumns, keyParameters, keyValues, sameKey } from '../ground/stations/key-sql.js'
import type { AnyStation, ImportedColumns, Station } from '../ground/stations/station.js'
import { STATIONS } from '../ground/stations/stations.js'

/** Rows of a station in one layer: at most one of each table. */
export interface LayerRows<Imported extends ImportedColumns> {
  imported?: RowOf<Imported>
  statistics?: Uint8Array
}

/** Rows of a station in the layers. */
export interface KnownStation<Key, Imported extends ImportedColumns> {
  readonly key: Key
  readonly own: LayerRows<Imported>
  /** The base layer has imported rows only. */
  readonly base: LayerRows<Imported>
}

/** Reads what an organization and the base layer store of stations, in one round trip. */
export async function readStations<Key, Imported extends ImportedColumns>(
  pool: ReadPool,
  station: Station<Key, unknown, Imported>,
  organizationId: string,
  keys: readonly Key[],
): Promise<KnownStation<Key, Imported>[]> {
  const statement = STATEMENTS.get(station) ?? statementOf(station)
  const rows = await pool.rows(statement, stationParameters(station, organizationId, keys))
  const known = new Map<number | string, KnownStation<Key, Imported>>()
  const { length } = station.columns
  for (const [isBase, statistics, ...columns] of rows) {
    const key = station.keyOf(columns.slice(0, length) as number[]) // the columns of the key are numbers
    const id = station.idOf(key)
    let one = known.get(id)
    if (!one) known.set(id, (one = { key, own: {}, base: {} }))
    const layer = isBase ? one.base : one.own
    if (statistics) layer.statistics = statistics
    else layer.imported = columns.slice(length) as RowOf<Imported> // none is NULL
  }
  return [...known.values()]
}

/** Returns learned statistics, decoded. */
export function learnedIn<Statistics>(
  station: Station<unknown, Statistics>,
  { statistics }: { readonly statistics?: Uint8Array },
): { readonly statistics?: Statistics } {
  return statistics ? { statistics: station.decode(statistics) } : {}
}

/** Learned rows have NULL in the imported columns. */
function statementOf(station: AnyStation) {
  const imported = station.importedColumns.map(([name, type]) => [name, `${type} | null`] as const)
  return {
    name: `read-known-${station.name}`,
    text: readStationsSql(station),
    columns: [['is_base', 'bool'], ['statistics', 'bytea | null'], ...station.columns, ...imported],
  } as const
}
/** Each is made once, for look-ups. */
const STATEMENTS = new Map(STATIONS.map((station) => [station, statementOf(station)]))

/** For each key short ranges of two primary keys, in the one partition that can hold it; `= ANY` would search all of them. */
export function readStationsSql(station: AnyStation): string {
  const { imported, learned } = station.tables
  const columns = keyColumns(station)
  const same = sameKey(station, 'known', 'asked')
  const places = station.importedColumns.map(([name]) => name)
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
