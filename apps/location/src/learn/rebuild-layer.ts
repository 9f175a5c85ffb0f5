import {
  decodeContribution,
  type StoredContribution,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import type { Height } from '@bearing/positioning/earth/height'
import type pg from 'pg'
import { takeLayer } from '../ground/locks.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import { STATIONS } from '../ground/stations/stations.js'
import { readTombstones } from '../ground/tombstones.js'
import { addEvidence } from './add-evidence.js'
import { evidenceFrom } from './evidence.js'
import { keepReferences, type OfferedScan } from './reference-scans.js'

/** Before every row. */
const FIRST = { id: '00000000-0000-0000-0000-000000000000', received_at: new Date(0) }
/** Observations that one query reads. */
const BATCH = 1_000

/** The size of a rebuilt layer. */
export interface Rebuilt {
  /** Stored observations that it was rebuilt from. */
  readonly observations: number
  readonly accessPoints: number
  readonly cells: number
}

/** In the order of the index `observations_kept_idx`: by ids each page would sort all observations. */
const READ_OWN = {
  text: `SELECT id, organization_id, project_id, received_at, contribution, height FROM observations
  WHERE organization_id = $1 AND refusal IS NULL AND contribution IS NOT NULL
    AND received_at >= $4 AND (received_at, id) > ($4, $2::uuid)
  ORDER BY received_at, id LIMIT $3`,
  columns: {
    id: 'uuid',
    organization_id: 'uuid',
    project_id: 'uuid',
    received_at: 'timestamptz',
    contribution: 'bytea',
    height: 'jsonb | null',
  },
} as const
type Row = RowOf<typeof READ_OWN.columns>

/**
 * Rebuilds a layer from the stored observations; the sums are those of learning from each when it came.
 * Evidence from observations that are no longer stored is lost. Learning in the layer waits meanwhile. Erased stations and areas
 * stay erased.
 *
 * @param client in a transaction
 */
export async function rebuildLayer(client: pg.ClientBase, layer: string, now: Date): Promise<Rebuilt> {
  await takeLayer(client, layer)
  for (const { tables } of STATIONS)
    await client.query(`DELETE FROM ${tables.learned} WHERE organization_id = $1`, [layer])
  const tombstones = await readTombstones(client, layer)
  await removeReferences(client, layer)
  let observations = 0
  for (let last: Pick<Row, 'id' | 'received_at'> = FIRST; ;) {
    const rows = await readOwn(client, layer, last)
    const kept = rows.map((row) => ({
      row,
      contribution: tombstones.removeFrom(decodeContribution(row.contribution)),
    }))
    const parts = kept.map(({ contribution }) => ({ layer, contribution }))
    for (const station of STATIONS) await addEvidence(client, station, evidenceFrom(station, parts), now)
    await keepReferences(
      client,
      kept.map(({ row, contribution }) => offeredOf(row, contribution)),
    )
    observations += rows.length
    if (rows.length < BATCH) break
    last = rows.at(-1) ?? last
  }
  const text = `SELECT (SELECT count(*) FROM learned_access_points WHERE organization_id = $1) AS "accessPoints",
    (SELECT count(*) FROM learned_cells WHERE organization_id = $1) AS cells`
  const columns = { accessPoints: 'int8', cells: 'int8' } as const
  const [counts = { accessPoints: 0, cells: 0 }] = await readRows(client, { text, columns }, [layer])
  return { observations, ...counts }
}

/** Without `enable_sort=off` Postgres sorts all observations for each page: half a second instead of a millisecond. */
export async function readOwn(client: pg.ClientBase, layer: string, last = FIRST): Promise<Row[]> {
  await client.query('SET LOCAL enable_sort = off')
  const rows = await readRows(client, READ_OWN, [layer, last.id, BATCH, last.received_at])
  await client.query('SET LOCAL enable_sort = on')
  return rows
}

/** The new version invalidates cached scans, even if none come back. */
async function removeReferences(client: pg.ClientBase, organizationId: string): Promise<void> {
  await client.query(
    `WITH locked AS MATERIALIZED (
       SELECT project_id FROM reference_sets WHERE organization_id = $1 ORDER BY project_id FOR NO KEY UPDATE
     ) UPDATE reference_sets SET version = version + 1 WHERE project_id IN (SELECT project_id FROM locked)`,
    [organizationId],
  )
  await client.query('DELETE FROM reference_scans WHERE organization_id = $1', [organizationId])
}

function offeredOf(row: Row, contribution: StoredContribution): OfferedScan {
  const { lat, lon, accuracyMeters, atSeconds, learned } = contribution
  const { id, organization_id: organizationId, project_id: projectId, received_at: receivedAt } = row
  const height = (row.height as Height | null) ?? undefined // as learning has stored them
  const scan = { lat, lon, accuracyMeters, atSeconds, height, heard: learned.length, readings: learned }
  return { id, organizationId, projectId, receivedAt, ...scan }
}
