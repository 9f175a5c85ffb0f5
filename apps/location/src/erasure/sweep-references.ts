import { decodeReadings, encodeReadings } from '@bearing/positioning/learning/evidence/contribution-codec'
import { LEAST_HEARD } from '@bearing/positioning/learning/evidence/reference-selection'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import { ACCESS_POINT } from '../ground/stations/access-point.js'
import type { Tombstones } from '../ground/tombstones.js'
import { PAGE, sweepPages, type Steps } from './pages.js'
import { mayContain, tombstonesOf, type ToSweep } from './to-sweep.js'

const columns = {
  project_id: 'uuid',
  cell: 'int8',
  id: 'uuid',
  received_at: 'timestamptz',
  lat: 'float8',
  lon: 'float8',
  readings: 'bytea',
} as const
type Row = RowOf<typeof columns>

const NIL = '00000000-0000-0000-0000-000000000000'
/** Before every row. */
const FIRST = { project_id: NIL, cell: -1, id: NIL, received_at: new Date(0) }

const COLUMNS = Object.keys(columns).join(', ')
const KEYS = 'unnest($1::uuid[], $2::bigint[], $3::uuid[])'
/** By the whole primary key: by the id alone every organization would be searched. */
const SAME = '(scan.project_id, scan.cell, scan.id) = (given.project_id, given.cell, given.id)'
const NOTHING = new Uint8Array()

/** Removes erased access points and areas from the reference scans of an organization. @param client in no transaction */
export async function* sweepReferences(client: pg.ClientBase, layer: string, toSweep: ToSweep): Steps {
  // Reference scans contain access points only.
  const stations = toSweep.stations.filter(({ station }) => station === ACCESS_POINT)
  const ofScans = { ...toSweep, stations }
  if (ofScans.areas.length === 0 && stations.every(({ keys }) => keys.length === 0)) return
  const tombstones = tombstonesOf(ofScans)
  const condition = mayContain(ofScans, 'readings', 6)
  const text = `SELECT ${COLUMNS} FROM reference_scans
    WHERE organization_id = $1 AND received_at >= $5 AND (received_at, project_id, cell, id) > ($5, $2::uuid, $3::bigint, $4::uuid)
      AND ${condition.text}
    ORDER BY received_at, project_id, cell, id LIMIT ${String(PAGE)}`
  yield* sweepPages<Row>(client, {
    read: async (last) => {
      const { project_id, cell, id, received_at } = last ?? FIRST
      const values = [layer, project_id, cell, id, received_at, ...condition.values]
      return readRows(client, { text, columns }, values)
    },
    isChanged: (row) => keptOf(row, tombstones) !== row.readings,
    rewrite: (rows) => rewrite(client, rows, tombstones),
  })
}

async function rewrite(client: pg.ClientBase, found: readonly Row[], tombstones: Tombstones): Promise<void> {
  const projects = [...new Set(found.map((row) => row.project_id))]
  await client.query(
    'SELECT FROM reference_sets WHERE project_id = ANY ($1::uuid[]) ORDER BY project_id FOR NO KEY UPDATE',
    [projects],
  )
  const text = `SELECT ${COLUMNS} FROM ${KEYS} AS given (project_id, cell, id) JOIN reference_scans AS scan USING (project_id, cell, id)`
  const rows = await readRows(client, { text, columns }, keysOf(found))
  const kept = Map.groupBy(rows, (row) => keptOf(row, tombstones).length > 0)
  const changed = kept.get(true) ?? []
  const { bytes, starts, lengths } = packBytes(changed.map((row) => keptOf(row, tombstones)))
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
  // Invalidates cached reference scans.
  await client.query('UPDATE reference_sets SET version = version + 1 WHERE project_id = ANY ($1::uuid[])', [
    projects,
  ])
}

/** Returns what is left of the readings: the same bytes if all are, none if too few are for a reference scan. */
function keptOf({ lat, lon, readings: bytes }: Row, tombstones: Tombstones): Uint8Array {
  if (tombstones.hasPlace(lat, lon)) return NOTHING
  const readings = decodeReadings(bytes).map(([bssid, signalDbm]) => ({ bssid, signalDbm }))
  const kept = readings.filter(({ bssid }) => tombstones.keeps(ACCESS_POINT, bssid, lat, lon))
  if (kept.length === readings.length) return bytes
  return kept.length < LEAST_HEARD ? NOTHING : encodeReadings(kept)
}

function keysOf(rows: readonly Row[]): unknown[] {
  return [rows.map((row) => row.project_id), rows.map(({ cell }) => cell), rows.map(({ id }) => id)]
}
