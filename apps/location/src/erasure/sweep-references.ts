import { decodeReadings, encodeReadings } from '@bearing/positioning/learning/contribution-codec'
import { LEAST_HEARD } from '@bearing/positioning/learning/reference-selection'
import type pg from 'pg'
import { NUMBERS, packBytes } from '../ground/packed-bytes.js'
import { untilDone } from './short-transaction.js'
import type { Forgotten } from '../ground/tombstones.js'
import { bytesToFind, forgottenOf, hasOneOf, type ToSweep } from './to-sweep.js'

/** Reference scans that are read at once: few enough that a look-up never waits for long. */
const PAGE = 500

type Key = readonly [projectId: string, cell: number, id: string]
type Row = [...Key, receivedAt: Date, lat: number, lon: number, readings: Buffer]

/** Before every other. */
const FIRST: readonly [...Key, receivedAt: Date] = [
  '00000000-0000-0000-0000-000000000000',
  -1,
  '00000000-0000-0000-0000-000000000000',
  new Date(0),
]

const COLUMNS = 'project_id, cell, id, received_at, lat, lon, readings'
const KEYS = 'unnest($1::uuid[], $2::bigint[], $3::uuid[])'
/** By the whole primary key: by the id alone it would look at everybody's. */
const SAME = '(scan.project_id, scan.cell, scan.id) = (given.project_id, given.cell, given.id)'

/**
 * Takes what is to be forgotten out of the reference scans of an organization, as `sweepObservations` does of what it has
 * contributed.
 *
 * @param client in no transaction
 * @returns after each page: that others may have their turn
 */
export async function* sweepReferences(
  client: pg.ClientBase,
  layer: string,
  toSweep: ToSweep,
): AsyncGenerator<'blocked' | undefined, void, undefined> {
  // They have no radio cells.
  const ofScans = { ...toSweep, cells: [] }
  if (ofScans.areas.length === 0 && ofScans.bssids.length === 0) return
  const forgotten = forgottenOf(ofScans)
  const bytes = bytesToFind(ofScans)
  const text = `SELECT ${COLUMNS} FROM reference_scans
    WHERE organization_id = $1 AND received_at >= $5 AND (received_at, project_id, cell, id) > ($5, $2::uuid, $3::bigint, $4::uuid)
      AND ${hasOneOf('readings', bytes, 6)}
    ORDER BY received_at, project_id, cell, id LIMIT ${String(PAGE)}`
  for (let last = FIRST; ;) {
    const values = [layer, ...last.slice(0, 4), ...(bytes ?? [])]
    const { rows } = await client.query<Row>({ text, values, rowMode: 'array', types: NUMBERS })
    const found = rows.filter((row) => keptOf(row, forgotten) !== row[6])
    if (found.length > 0) yield* untilDone(client, () => rewrite(client, found, forgotten))
    const [project, cell, id, receivedAt] = rows.at(-1) ?? last
    last = [project, cell, id, receivedAt]
    if (rows.length < PAGE) return
    yield undefined
  }
}

/** The rows of their projects are locked first, as by everybody who changes reference scans: nothing can deadlock. */
async function rewrite(client: pg.ClientBase, found: readonly Row[], forgotten: Forgotten): Promise<void> {
  const projects = [...new Set(found.map(([project]) => project))]
  await client.query(
    'SELECT FROM reference_sets WHERE project_id = ANY ($1::uuid[]) ORDER BY project_id FOR NO KEY UPDATE',
    [projects],
  )
  const { rows } = await client.query<Row>({
    text: `SELECT ${COLUMNS} FROM ${KEYS} AS given (project_id, cell, id) JOIN reference_scans AS scan USING (project_id, cell, id)`,
    values: keysOf(found),
    rowMode: 'array',
    types: NUMBERS,
  })
  const kept = Map.groupBy(rows, (row) => keptOf(row, forgotten).length > 0)
  const changed = kept.get(true) ?? []
  const { bytes, starts, lengths } = packBytes(changed.map((row) => keptOf(row, forgotten)))
  await client.query(
    `UPDATE reference_scans AS scan SET readings = substr($4::bytea, start, length)
     FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $5::int[], $6::int[]) AS given (project_id, cell, id, start, length)
     WHERE ${SAME}`,
    [...keysOf(changed), bytes, starts, lengths],
  )
  await client.query(
    `DELETE FROM reference_scans AS scan USING ${KEYS} AS given (project_id, cell, id) WHERE ${SAME}`,
    keysOf(kept.get(false) ?? []),
  )
  // Who keeps them in memory sees that they are not those any more.
  await client.query('UPDATE reference_sets SET version = version + 1 WHERE project_id = ANY ($1::uuid[])', [
    projects,
  ])
}

const NOTHING = new Uint8Array()

/** What is left of what a scan heard: the same bytes where everything is, none where learning anew would not keep it either. */
function keptOf([, , , , lat, lon, bytes]: Row, forgotten: Forgotten): Uint8Array {
  if (forgotten.hasPlace(lat, lon)) return NOTHING
  const readings = decodeReadings(bytes).map(([bssid, signalDbm]) => ({ bssid, signalDbm }))
  const kept = readings.filter(({ bssid }) => forgotten.keeps(bssid, lat, lon))
  if (kept.length === readings.length) return bytes
  return kept.length < LEAST_HEARD ? NOTHING : encodeReadings(kept)
}

function keysOf(rows: readonly Row[]): unknown[] {
  return [rows.map(([project]) => project), rows.map(([, cell]) => cell), rows.map(([, , id]) => id)]
}
