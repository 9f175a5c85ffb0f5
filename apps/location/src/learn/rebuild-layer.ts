import { decodeContribution, type StoredContribution } from '@bearing/positioning/learning/contribution-codec'
import { cellLessonsFrom, statisticsFrom } from '@bearing/positioning/learning/learn'
import type pg from 'pg'
import { readForgotten, type Forgotten } from '../ground/tombstones.js'
import { SHARED_LAYER } from '../ground/layer.js'
import { MAY_SHARE, type SharingPolicy } from '../sharing/sharing-policy.js'
import { addCellStatistics } from './add-cell-statistics.js'
import { addStatistics } from './add-statistics.js'
import { additionsFrom, cellAdditionsFrom, type Part } from './evidence.js'
import { keepReferences, type OfferedScan } from './reference-scans.js'
import { takeLayer } from '../ground/locks.js'

/** Observations that are read at once. */
const AT_ONCE = 1_000

/** What has come of learning a layer anew. */
export interface Relearned {
  /** Observations that are stored, and how many access points and radio cells they say something about. */
  readonly observations: number
  readonly accessPoints: number
  readonly cells: number
}

type Row = [id: string, organizationId: string, projectId: string, receivedAt: Date, contribution: Buffer]

/** In the order of the index of what is kept (`observations_kept_idx`): by their ids each page would sort all that there is. */
const READ_OWN = `
  SELECT id, organization_id, project_id, received_at, contribution FROM observations
  WHERE organization_id = $1 AND refusal IS NULL AND contribution IS NOT NULL
    AND received_at >= $4 AND (received_at, id) > ($4, $2::uuid)
  ORDER BY received_at, id LIMIT $3`

/** Those of organizations that still share, and still may. */
const readSharedText = (policy: SharingPolicy) => `
  SELECT id, organization_id, project_id, received_at, contribution FROM observations JOIN location_settings USING (organization_id)
  WHERE $1::uuid IS NOT NULL AND shared AND ${MAY_SHARE[policy]} AND refusal IS NULL AND contribution IS NOT NULL AND id > $2
  ORDER BY id LIMIT $3`

/**
 * Learns a layer anew from the observations that are stored: comes to the same statistics as learning from each when it
 * came. What was learned from observations that are no longer stored goes. All or nothing; whoever wants to learn in the
 * layer meanwhile waits. What the layer has forgotten is not learned, whether or not it was taken out of what is stored yet.
 *
 * @param client a connection that nobody else uses
 * @param record writes down that it was done, in the same transaction
 * @param policy which organizations may contribute to the shared layer
 */
export async function relearn(
  client: pg.ClientBase,
  layer: string,
  now: Date,
  record: (relearned: Relearned) => Promise<void>,
  policy: SharingPolicy = 'approved',
): Promise<Relearned> {
  await client.query('BEGIN')
  await takeLayer(client, layer)
  for (const table of ['learned_access_points', 'learned_cells'])
    await client.query(`DELETE FROM ${table} WHERE organization_id = $1`, [layer])
  const forgotten = await readForgotten(client, layer)
  const isShared = layer === SHARED_LAYER
  if (!isShared) await removeReferences(client, layer)
  let observations = 0
  for (let [last, lastAt] = [SHARED_LAYER, new Date(0)]; ;) {
    const rows = await (isShared
      ? readShared(client, layer, last, policy)
      : readOwn(client, layer, last, lastAt))
    const parts = rows.map((row) => partOf(row, layer, forgotten))
    await addStatistics(client, additionsFrom(parts), now)
    await addCellStatistics(client, cellAdditionsFrom(parts), now)
    if (!isShared)
      await keepReferences(
        client,
        rows.map((row) => offeredOf(row, forgotten)),
      )
    observations += rows.length
    ;[last, , , lastAt] = rows.at(-1) ?? [last, '', '', lastAt]
    if (rows.length < AT_ONCE) break
  }
  const { rows } = await client.query<Omit<Relearned, 'observations'>>(
    `SELECT (SELECT count(*) FROM learned_access_points WHERE organization_id = $1)::float8 AS "accessPoints",
       (SELECT count(*) FROM learned_cells WHERE organization_id = $1)::float8 AS cells`,
    [layer],
  )
  const [{ accessPoints, cells } = { accessPoints: 0, cells: 0 }] = rows
  const relearned = { observations, accessPoints, cells }
  await record(relearned)
  await client.query('COMMIT')
  return relearned
}

/** Without being told to, Postgres sorts what an organization has for each page: half a second where the index takes one thousandth. */
export async function readOwn(
  client: pg.ClientBase,
  layer: string,
  last: string,
  lastAt: Date,
): Promise<Row[]> {
  await client.query('SET LOCAL enable_sort = off')
  const values = [layer, last, AT_ONCE, lastAt]
  const { rows } = await client.query<Row>({ text: READ_OWN, values, rowMode: 'array' })
  await client.query('SET LOCAL enable_sort = on')
  return rows
}

async function readShared(
  client: pg.ClientBase,
  layer: string,
  last: string,
  policy: SharingPolicy,
): Promise<Row[]> {
  const values = [layer, last, AT_ONCE]
  const { rows } = await client.query<Row>({ text: readSharedText(policy), values, rowMode: 'array' })
  return rows
}

/**
 * The rows of their projects are locked first, as by everybody who changes reference scans: nothing can deadlock, and who has them
 * in memory sees that they are not those any more, also where none come back.
 */
async function removeReferences(client: pg.ClientBase, organizationId: string): Promise<void> {
  await client.query(
    `WITH locked AS MATERIALIZED (
       SELECT project_id FROM reference_sets WHERE organization_id = $1 ORDER BY project_id FOR NO KEY UPDATE
     ) UPDATE reference_sets SET version = version + 1 WHERE project_id IN (SELECT project_id FROM locked)`,
    [organizationId],
  )
  await client.query('DELETE FROM reference_scans WHERE organization_id = $1', [organizationId])
}

function keptOf([, , , , bytes]: Row, forgotten: Forgotten): StoredContribution {
  const contribution = decodeContribution(bytes)
  const { lat, lon, learned } = contribution
  return {
    ...contribution,
    learned: learned.filter(({ bssid }) => forgotten.keeps(bssid, lat, lon)),
    cells: contribution.cells?.filter((cell) => forgotten.keepsCell(cell, lat, lon)),
  }
}

function partOf(row: Row, layer: string, forgotten: Forgotten): Part {
  const contribution = keptOf(row, forgotten)
  const { lat, lon } = contribution
  return {
    layers: [layer],
    statistics: statisticsFrom(contribution, contribution.learned),
    cells: cellLessonsFrom(contribution, contribution.cells ?? []),
    ...(layer === SHARED_LAYER && { origin: { organization: row[1], lat, lon } }),
  }
}

function offeredOf(row: Row, forgotten: Forgotten): OfferedScan {
  const [id, organizationId, projectId, receivedAt] = row
  const { lat, lon, accuracyMeters, atSeconds, learned } = keptOf(row, forgotten)
  return {
    id,
    organizationId,
    projectId,
    receivedAt,
    lat,
    lon,
    accuracyMeters,
    atSeconds,
    heard: learned.length,
    readings: learned,
  }
}
