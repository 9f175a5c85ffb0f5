import { cellBytes } from '@bearing/positioning/learning/contribution-codec'
import { formatCell, type CellKey } from '@bearing/contracts/location/cell-identity'
import type pg from 'pg'
import { CELL_COLUMNS, cellColumns, cellOfRow, type CellRow } from '../ground/stations/cell-columns.js'
import { NUMBERS } from '../ground/packed-bytes.js'
import { Forgotten, type Area } from '../ground/tombstones.js'

/** Access points, and radio cells, that are swept at once: what is to be forgotten is held in memory. More come in another pass. */
const MOST = 50_000
/** So few are searched for by the database, which then gives only what may have one of them. */
const FEW = 8

/** A row that stands for something to forget, and the transaction that wrote it last: who forgets it again writes it anew. */
interface Claimed<Key> {
  readonly key: Key
  readonly version: string
}

/** What a layer has to forget and still has to be taken out of what is stored. */
export interface ToSweep {
  readonly areas: readonly Claimed<{ readonly id: string; readonly area: Area }>[]
  readonly bssids: readonly Claimed<number>[]
  readonly cells: readonly Claimed<CellKey>[]
}

/** Reads the areas that a layer still has to be swept of. */
export async function readAreas(client: pg.ClientBase, layer: string): Promise<ToSweep['areas']> {
  const { rows } = await client.query<Area & { id: string; version: string }>(
    `SELECT id, xmin::text AS version, lat, lon, radius FROM forgotten_areas
     WHERE organization_id = $1 AND swept_at IS NULL ORDER BY id`,
    [layer],
  )
  return rows.map(({ id, version, ...area }) => ({ key: { id, area }, version }))
}

/** Reads everything else that a layer still has to be swept of. */
export async function readAddresses(client: pg.ClientBase, layer: string): Promise<Omit<ToSweep, 'areas'>> {
  const { rows: points } = await client.query<[bssid: number, version: string]>({
    text: `SELECT bssid, xmin::text FROM forgotten_access_points
      WHERE organization_id = $1 AND swept_at IS NULL ORDER BY bssid LIMIT ${String(MOST)}`,
    values: [layer],
    rowMode: 'array',
    types: NUMBERS,
  })
  const { rows: cells } = await client.query<[...CellRow, version: string]>({
    text: `SELECT ${CELL_COLUMNS}, xmin::text FROM forgotten_cells
      WHERE organization_id = $1 AND swept_at IS NULL ORDER BY ${CELL_COLUMNS} LIMIT ${String(MOST)}`,
    values: [layer],
    rowMode: 'array',
    types: NUMBERS,
  })
  return {
    bssids: points.map(([key, version]) => ({ key, version })),
    cells: cells.map((row) => ({ key: cellOfRow(row), version: row[5] })),
  }
}

/**
 * Notes that it is gone from everything; but not of what was forgotten again in the meantime.
 *
 * @param client in a transaction
 */
export async function noteSwept(
  client: pg.ClientBase,
  layer: string,
  { areas, bssids, cells }: ToSweep,
  now: Date,
): Promise<void> {
  await client.query(
    'UPDATE forgotten_areas SET swept_at = $1 WHERE organization_id = $2 AND id = ANY ($3::uuid[])',
    [now, layer, areas.map(({ key }) => key.id)],
  )
  // In the order of addresses, as whoever forgets an area: nothing can deadlock.
  await client.query(
    `WITH swept AS MATERIALIZED (
       SELECT bssid FROM unnest($3::bigint[], $4::text[]) AS given (bssid, version)
       JOIN forgotten_access_points AS known USING (bssid)
       WHERE organization_id = $2 AND known.xmin::text = version ORDER BY bssid FOR NO KEY UPDATE OF known
     ) UPDATE forgotten_access_points AS known SET swept_at = $1 FROM swept
     WHERE organization_id = $2 AND known.bssid = swept.bssid`,
    [now, layer, bssids.map(({ key }) => key), bssids.map(({ version }) => version)],
  )
  await client.query(
    `WITH swept AS MATERIALIZED (
       SELECT ${CELL_COLUMNS}
       FROM unnest($3::smallint[], $4::smallint[], $5::smallint[], $6::int[], $7::bigint[], $8::text[])
         AS given (${CELL_COLUMNS}, version)
       JOIN forgotten_cells AS known USING (${CELL_COLUMNS})
       WHERE organization_id = $2 AND known.xmin::text = version ORDER BY ${CELL_COLUMNS} FOR NO KEY UPDATE OF known
     ) UPDATE forgotten_cells AS known SET swept_at = $1 FROM swept
     WHERE organization_id = $2 AND (known.radio, known.mcc, known.mnc, known.area, known.cell)
       = (swept.radio, swept.mcc, swept.mnc, swept.area, swept.cell)`,
    [now, layer, ...cellColumns(cells.map(({ key }) => key)), cells.map(({ version }) => version)],
  )
}

/** The same as what tells what may be kept. */
export function forgottenOf({ areas, bssids, cells }: ToSweep): Forgotten {
  return new Forgotten(
    new Set(bssids.map(({ key }) => key)),
    new Set(cells.map(({ key }) => formatCell(key))),
    areas.map(({ key }) => key.area),
  )
}

/** The bytes of an access point in what is stored. */
function bssidBytes(bssid: number): Buffer {
  return Buffer.from(bssid.toString(16).padStart(12, '0'), 'hex')
}

/**
 * The bytes of all that is to be swept, which stand as they are in what was stored, or by chance: of which there has to be one.
 *
 * @returns undefined where that says nothing: everything has to be looked at
 */
export function bytesToFind({ areas, bssids, cells }: ToSweep): Buffer[] | undefined {
  if (areas.length > 0 || bssids.length + cells.length > FEW) return undefined
  return [...bssids.map(({ key }) => bssidBytes(key)), ...cells.map(({ key }) => Buffer.from(cellBytes(key)))]
}

/** A condition that a column has one of some bytes. @param first the number of their first parameter */
export function hasOneOf(column: string, bytes: readonly Buffer[] | undefined, first: number): string {
  if (!bytes) return 'true'
  return `(${['false', ...bytes.map((_, index) => `position($${String(first + index)} IN ${column}) > 0`)].join(' OR ')})`
}
