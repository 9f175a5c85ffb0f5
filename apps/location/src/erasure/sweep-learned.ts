import type pg from 'pg'
import { lockLayers, lockLayerSums } from '../ground/locks.js'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import { keyColumns, keyParameters, keyValues, sameKey } from '../ground/stations/key-sql.js'
import {
  placedColumns,
  placedParameters,
  placedValues,
  setPlaced,
} from '../ground/stations/placed-columns.js'
import type { AnyStation, Area, Station } from '../ground/stations/station.js'
import { addTombstones, removeImportedAccessPoints, removeLearnedRows } from './erased-rows.js'
import { PAGE, sweepPages, untilDone, type Steps } from './pages.js'

/** Stations that one transaction removes. */
const REMOVE_BATCH = 5_000

function rowOf(station: AnyStation) {
  return [['statistics', 'bytea'], ...station.columns] as const
}
type Row = RowOf<ReturnType<typeof rowOf>>

/** A layer, the areas to erase from it, and the time. */
interface Sweeping {
  readonly layer: string
  readonly areas: readonly Area[]
  readonly now: Date
}

/**
 * Removes what was heard in areas from what a layer has learned. Stations that stand in one are erased by their keys, as if
 * somebody had named them: they are heard around it, too.
 *
 * @param client in no transaction; everybody who learns has read the areas
 */
export function sweepLearned<Key, Statistics>(
  client: pg.ClientBase,
  station: Station<Key, Statistics>,
  sweeping: Sweeping,
): Steps {
  const { layer, areas } = sweeping
  const columns = keyColumns(station)
  const after = station.columns.map((_, index) => `$${String(2 + index)}`).join(', ')
  const text = `SELECT statistics, ${columns} FROM ${station.tables.learned}
    WHERE organization_id = $1 AND (${columns}) > (${after}) ORDER BY ${columns} LIMIT ${String(PAGE)}`
  return sweepPages<Row>(client, {
    read: (last) => {
      const [, ...key] = last ?? [null, ...station.columns.map(() => 0)]
      return readRows(client, { text, columns: rowOf(station) }, [layer, ...key])
    },
    isChanged: ([bytes]) => {
      const statistics = station.decode(bytes)
      return station.withoutAreas(statistics, areas) !== statistics
    },
    rewrite: (rows) =>
      rewrite(
        client,
        station,
        sweeping,
        rows.map(([, ...key]) => station.keyOf(key)),
      ),
  })
}

/**
 * Removes stations from what a layer has learned.
 *
 * @param client in no transaction; everybody who learns has read their tombstones
 */
export async function* removeLearned<Key>(
  client: pg.ClientBase,
  station: Station<Key, unknown>,
  layer: string,
  keys: readonly Key[],
): Steps {
  for (let start = 0; start < keys.length; start += REMOVE_BATCH)
    yield* untilDone(client, async () => {
      await lockLayers(client, [layer])
      await removeLearnedRows(client, station, layer, keys.slice(start, start + REMOVE_BATCH))
    })
}

/** Learning continues meanwhile; rebuilds and imports wait. */
async function rewrite<Key, Statistics>(
  client: pg.ClientBase,
  station: Station<Key, Statistics>,
  sweeping: Sweeping,
  keys: readonly Key[],
): Promise<void> {
  const { layer, areas, now } = sweeping
  await lockLayers(client, [layer])
  await lockLayerSums(client, layer, now)
  const gone: Key[] = []
  const inside: Key[] = []
  const kept: { key: Key; statistics: Statistics }[] = []
  for (const [bytes, ...values] of await lockRows(client, station, layer, keys)) {
    const key = station.keyOf(values)
    const statistics = station.withoutAreas(station.decode(bytes), areas)
    if (statistics === 'inside') inside.push(key)
    else if (statistics === undefined) gone.push(key)
    else kept.push({ key, statistics })
  }
  await removeLearnedRows(client, station, layer, [...gone, ...inside])
  await update(client, station, sweeping, kept)
  await addTombstones(client, station, layer, inside, now)
  // Of all kinds only access points can be inside.
  if (inside.length > 0)
    await removeImportedAccessPoints(
      client,
      layer,
      inside.flatMap((key) => station.valuesOf(key)),
      now,
    )
}

function lockRows<Key>(
  client: pg.ClientBase,
  station: Station<Key, unknown>,
  layer: string,
  keys: readonly Key[],
): Promise<Row[]> {
  const columns = keyColumns(station)
  const text = `SELECT statistics, ${columns} FROM unnest(${keyParameters(station, 2)}) AS given (${columns})
    JOIN ${station.tables.learned} AS known USING (${columns})
    WHERE organization_id = $1 ORDER BY ${columns} FOR UPDATE OF known`
  return readRows(client, { text, columns: rowOf(station) }, [layer, ...keyValues(station, keys)])
}

async function update<Key, Statistics>(
  client: pg.ClientBase,
  station: Station<Key, Statistics>,
  { layer, now }: Sweeping,
  kept: readonly { key: Key; statistics: Statistics }[],
): Promise<void> {
  const { bytes, starts, lengths } = packBytes(kept.map(({ statistics }) => station.encode(statistics)))
  const columns = keyColumns(station)
  const places = placedParameters(station, 6 + station.columns.length)
  await client.query(
    `UPDATE ${station.tables.learned} AS known SET statistics = substr($2::bytea, start, length), updated_at = $3
       ${setPlaced(station, (column) => `given.${column}`)}
     FROM unnest($4::int[], $5::int[], ${keyParameters(station, 6)}${places})
       AS given (start, length, ${columns}${placedColumns(station)})
     WHERE organization_id = $1 AND ${sameKey(station, 'known', 'given')}`,
    [
      ...[layer, bytes, now, starts, lengths],
      ...keyValues(
        station,
        kept.map(({ key }) => key),
      ),
      ...placedValues(
        station,
        kept.map(({ statistics }) => station.placementOf?.(statistics)),
      ),
    ],
  )
}
