import type { Placement } from '@bearing/positioning/learning/statistics/placement-of'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows } from '../ground/read-rows.js'
import { compareKeys, keyColumns, keyParameters, keyValues, sameKey } from '../ground/stations/key-sql.js'
import {
  placedColumns,
  placedParameters,
  placedValues,
  setPlaced,
} from '../ground/stations/placed-columns.js'
import type { AnyStation, Station } from '../ground/stations/station.js'

/** Statistics of a station in a layer, or an addition to them. */
export interface LayerEvidence<Key, Statistics> {
  readonly layer: string
  readonly key: Key
  readonly statistics: Statistics
}

/** Rows that are locked, read and written together. */
const BATCH = 5_000

/**
 * Adds evidence to what is known of stations. Others who add to the same rows wait, and add to the result.
 *
 * @param client in a transaction
 * @param evidence each station of a layer once
 * @returns those that were not known, and those of which at least twice as much is known now
 */
export async function addEvidence<Key, Statistics>(
  client: pg.ClientBase,
  station: Station<Key, Statistics>,
  evidence: readonly LayerEvidence<Key, Statistics>[],
  now: Date,
): Promise<LayerEvidence<Key, Statistics>[]> {
  const sorted = [...evidence].sort(
    (a, b) => compareKeys(station, a.key, b.key) || (a.layer < b.layer ? -1 : 1),
  )
  const grown: LayerEvidence<Key, Statistics>[] = []
  for (let start = 0; start < sorted.length; start += BATCH)
    grown.push(...(await addSome(client, station, sorted.slice(start, start + BATCH), now)))
  return grown
}

async function addSome<Key, Statistics>(
  client: pg.ClientBase,
  station: Station<Key, Statistics>,
  evidence: readonly LayerEvidence<Key, Statistics>[],
  now: Date,
): Promise<LayerEvidence<Key, Statistics>[]> {
  const added = await readRows(
    client,
    addOrLock(station),
    valuesOf(station, evidence, now, (one) => station.placementOf?.(one.statistics)),
  )
  const isNew = new Set(added.map(([layer, ...key]) => rowId(station, station.keyOf(key), layer)))
  const old = evidence.filter(({ key, layer }) => !isNew.has(rowId(station, key, layer)))
  const grown = evidence.filter(({ key, layer }) => isNew.has(rowId(station, key, layer)))
  if (old.length === 0) return grown
  const known = await readKnown(client, station, old)
  // Making a model takes longer than adding: placements follow when evidence has doubled.
  const toPlace = new Set<LayerEvidence<Key, Statistics>>()
  const changed = old.map((one) => {
    const before = known.get(rowId(station, one.key, one.layer))
    if (!before) throw new Error('a row that was locked is gone')
    const statistics = station.merge([before.statistics, one.statistics])
    const after = { ...one, statistics }
    const hasDoubled = log2(station.countIn(statistics)) > log2(station.countIn(before.statistics))
    if (hasDoubled || before.isUnplaced) toPlace.add(after)
    if (hasDoubled) grown.push(after)
    return after
  })
  const values = valuesOf(station, changed, now, (one) =>
    toPlace.has(one) ? station.placementOf?.(one.statistics) : undefined,
  )
  await client.query({ name: `replace-${station.name}`, text: replace(station), values })
  return grown
}

/** Identifies a station of a layer in maps. */
export function rowId<Key>(station: Station<Key, unknown>, key: Key, layer: string): string {
  return `${station.idOf(key)} ${layer}`
}

interface Known<Statistics> {
  readonly statistics: Statistics
  /** True if it was learned before placements were stored. */
  readonly isUnplaced: boolean
}

async function readKnown<Key, Statistics>(
  client: pg.ClientBase,
  station: Station<Key, Statistics>,
  keys: readonly LayerEvidence<Key, Statistics>[],
): Promise<Map<string, Known<Statistics>>> {
  const ids = keyValues(
    station,
    keys.map(({ key }) => key),
  )
  const rows = await readRows(client, read(station), [...ids, keys.map(({ layer }) => layer)])
  return new Map(
    rows.map(([layer, statistics, isUnplaced, ...key]) => [
      rowId(station, station.keyOf(key), layer),
      { statistics: station.decode(statistics), isUnplaced },
    ]),
  )
}

/** Returns the values of {@link given}. */
function valuesOf<Key, Statistics>(
  station: Station<Key, Statistics>,
  evidence: readonly LayerEvidence<Key, Statistics>[],
  now: Date,
  placementOf: (one: LayerEvidence<Key, Statistics>) => Placement | undefined,
): unknown[] {
  const { bytes, starts, lengths } = packBytes(evidence.map(({ statistics }) => station.encode(statistics)))
  return [
    ...[now, evidence.map(({ layer }) => layer), bytes, starts, lengths],
    ...keyValues(
      station,
      evidence.map(({ key }) => key),
    ),
    ...placedValues(station, evidence.map(placementOf)),
  ]
}

/** Selects rows of `INSERT` statements from the parameters. */
function given(station: AnyStation): string {
  const columns = keyColumns(station)
  const placed = placedColumns(station)
  const places = placedParameters(station, 6 + station.columns.length)
  return `
    SELECT layer, ${columns}, substr($3::bytea, start, length), $1::timestamptz${placed}
    FROM unnest($2::uuid[], $4::int[], $5::int[], ${keyParameters(station, 6)}${places}) WITH ORDINALITY
      AS given (layer, start, length, ${columns}${placed}, number)
    ORDER BY number`
}

function insert(station: AnyStation): string {
  const columns = keyColumns(station)
  return `
    INSERT INTO ${station.tables.learned} AS known (organization_id, ${columns}, statistics, updated_at${placedColumns(station)}) ${given(station)}
    ON CONFLICT (organization_id, ${columns}) DO UPDATE SET`
}

/** Adds new rows and locks the others, in the order in which they are given. */
function addOrLock(station: AnyStation) {
  return {
    name: `add-or-lock-${station.name}`,
    text: `${insert(station)} updated_at = known.updated_at WHERE false
      RETURNING organization_id, ${keyColumns(station)}`,
    columns: [['organization_id', 'uuid'], ...station.columns],
  } as const
}

function replace(station: AnyStation): string {
  return `${insert(station)}
    statistics = excluded.statistics, updated_at = excluded.updated_at
    ${setPlaced(station, (column) => `coalesce(excluded.${column}, known.${column})`)}`
}

/** For each key one look into one partition. */
function read(station: AnyStation) {
  const columns = keyColumns(station)
  const count = station.columns.length
  const isUnplaced = station.placementOf ? 'lat IS NULL' : 'false'
  const text = `
    SELECT known.* FROM unnest(${keyParameters(station, 1)}, $${String(count + 1)}::uuid[]) AS asked (${columns}, layer)
    CROSS JOIN LATERAL (
      SELECT organization_id, statistics, ${isUnplaced} AS is_unplaced, ${columns}
      FROM ${station.tables.learned} AS one
      WHERE ${sameKey(station, 'one', 'asked')} AND one.organization_id = asked.layer LIMIT 1
    ) AS known`
  return {
    name: `read-${station.name}`,
    text,
    columns: [
      ['organization_id', 'uuid'],
      ['statistics', 'bytea'],
      ['is_unplaced', 'bool'],
      ...station.columns,
    ],
  } as const
}

function log2(count: number): number {
  return Math.floor(Math.log2(count))
}
