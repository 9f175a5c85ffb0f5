import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import { keyColumns, keyParameters, keyValues, sameKey } from '../ground/stations/key-sql.js'
import type { AnyStation, Area } from '../ground/stations/station.js'
import { STATIONS } from '../ground/stations/stations.js'
import { Tombstones } from '../ground/tombstones.js'

/** Stations of one kind that one run sweeps; their keys are held in memory. */
const MOST = 50_000
/** If there are so few stations, the database searches for them and returns only contributions that may contain one. */
const FEW = 8

/** A tombstone, and how often it was erased again before it was read. */
interface Claimed<Key> {
  readonly key: Key
  readonly version: number
}

/** The tombstones of one kind of stations. */
interface ClaimedStations {
  readonly station: AnyStation
  readonly keys: readonly Claimed<unknown>[]
}

/** Erased areas and stations that are still to be removed from the stored data of a layer. */
export interface ToSweep {
  /** Each is written once: erasing an area again is another one. */
  readonly areas: readonly { readonly id: string; readonly area: Area }[]
  readonly stations: readonly ClaimedStations[]
}

export async function readAreas(client: pg.ClientBase, layer: string): Promise<ToSweep['areas']> {
  const text = `SELECT id, lat, lon, radius FROM forgotten_areas
    WHERE organization_id = $1 AND swept_at IS NULL ORDER BY id`
  const columns = { id: 'uuid', lat: 'float8', lon: 'float8', radius: 'float8' } as const
  const rows = await readRows(client, { text, columns }, [layer])
  return rows.map(({ id, ...area }) => ({ id, area }))
}

export async function readStations(client: pg.ClientBase, layer: string): Promise<ToSweep['stations']> {
  const claimed: ClaimedStations[] = []
  for (const station of STATIONS) {
    const columns = keyColumns(station)
    const text = `SELECT version, ${columns} FROM ${station.tables.tombstones}
      WHERE organization_id = $1 AND swept_at IS NULL ORDER BY ${columns} LIMIT ${String(MOST)}`
    const rows = await readRows(client, { text, columns: [['version', 'int4'], ...station.columns] }, [layer])
    claimed.push({ station, keys: rows.map(([version, ...key]) => ({ key: station.keyOf(key), version })) })
  }
  return claimed
}

/** Marks tombstones as swept, except those that were written again meanwhile. @param client in a transaction */
export async function noteSwept(
  client: pg.ClientBase,
  layer: string,
  toSweep: ToSweep,
  now: Date,
): Promise<void> {
  await client.query(
    'UPDATE forgotten_areas SET swept_at = $1 WHERE organization_id = $2 AND id = ANY ($3::uuid[])',
    [now, layer, toSweep.areas.map(({ id }) => id)],
  )
  for (const { station, keys } of toSweep.stations) {
    const columns = keyColumns(station)
    const { tombstones } = station.tables
    await client.query(
      `WITH swept AS MATERIALIZED (
         SELECT ${columns} FROM unnest($3::integer[], ${keyParameters(station, 4)}) AS given (version, ${columns})
         JOIN ${tombstones} AS known USING (${columns})
         WHERE organization_id = $2 AND known.version = given.version ORDER BY ${columns} FOR NO KEY UPDATE OF known
       ) UPDATE ${tombstones} AS known SET swept_at = $1 FROM swept
       WHERE organization_id = $2 AND ${sameKey(station, 'known', 'swept')}`,
      [
        now,
        layer,
        keys.map(({ version }) => version),
        ...keyValues(
          station,
          keys.map(({ key }) => key),
        ),
      ],
    )
  }
}

/** Returns what is to be swept as tombstones. */
export function tombstonesOf({ areas, stations }: ToSweep): Tombstones {
  return new Tombstones(
    new Map(
      stations.map(({ station, keys }) => [station, new Set(keys.map(({ key }) => station.idOf(key)))]),
    ),
    areas.map(({ area }) => area),
  )
}

/** A condition on a column, and its parameters. */
export interface Condition {
  readonly text: string
  readonly values: readonly Uint8Array[]
}

/**
 * Returns the condition that stored data contains the bytes of a station to sweep, by chance or not.
 *
 * @param first the number of the first parameter
 */
export function mayContain({ areas, stations }: ToSweep, column: string, first: number): Condition {
  const count = stations.reduce((sum, { keys }) => sum + keys.length, 0)
  if (areas.length > 0 || count > FEW) return { text: 'true', values: [] }
  const values = stations.flatMap(({ station, keys }) => keys.map(({ key }) => station.bytesOf(key)))
  const found = values.map((_, index) => `position($${String(first + index)} IN ${column}) > 0`)
  return { text: `(${['false', ...found].join(' OR ')})`, values }
}
