import { decodeContribution, type StoredContribution } from '@bearing/positioning/learning/contribution-codec'
import { cellLessonsFrom, statisticsFrom } from '@bearing/positioning/learning/learn'
import type pg from 'pg'
import { readForgotten, type Forgotten } from '../forgetting/forgotten.js'
import { SHARED_LAYER } from '../layer.js'
import { addCellStatistics } from './add-cell-statistics.js'
import { addStatistics } from './add-statistics.js'
import { additionsFrom, cellAdditionsFrom, type Part } from './additions.js'
import { keepReferences, type OfferedScan } from './keep-references.js'
import { takeLayer } from './layer-lock.js'

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

/** Of the shared layer those of organizations that still share. */
const READ = {
  own: `
    SELECT id, organization_id, project_id, received_at, contribution FROM observations
    WHERE organization_id = $1 AND refusal IS NULL AND contribution IS NOT NULL AND id > $2 ORDER BY id LIMIT $3`,
  shared: `
    SELECT id, organization_id, project_id, received_at, contribution FROM observations JOIN location_settings USING (organization_id)
    WHERE $1::uuid IS NOT NULL AND shared AND share_observations AND refusal IS NULL AND contribution IS NOT NULL AND id > $2
    ORDER BY id LIMIT $3`,
}

/**
 * Learns a layer anew from the observations that are stored: comes to the same statistics as learning from each when it
 * came. What was learned from observations that are no longer stored goes. All or nothing; whoever wants to learn in the
 * layer meanwhile waits. What the layer has forgotten is not learned, whether or not it was taken out of what is stored yet.
 *
 * @param client a connection that nobody else uses
 * @param record writes down that it was done, in the same transaction
 */
export async function relearn(
  client: pg.ClientBase,
  layer: string,
  now: Date,
  record: (relearned: Relearned) => Promise<void>,
): Promise<Relearned> {
  await client.query('BEGIN')
  await takeLayer(client, layer)
  for (const table of ['learned_access_points', 'learned_cells'])
    await client.query(`DELETE FROM ${table} WHERE organization_id = $1`, [layer])
  const forgotten = await readForgotten(client, layer)
  const isShared = layer === SHARED_LAYER
  if (!isShared) await client.query('DELETE FROM reference_scans WHERE organization_id = $1', [layer])
  let observations = 0
  for (let last = SHARED_LAYER; ;) {
    const { rows } = await client.query<Row>({
      text: isShared ? READ.shared : READ.own,
      values: [layer, last, AT_ONCE],
      rowMode: 'array',
    })
    const parts = rows.map((row) => partOf(row, layer, forgotten))
    await addStatistics(client, additionsFrom(parts), now)
    await addCellStatistics(client, cellAdditionsFrom(parts), now)
    if (!isShared)
      await keepReferences(
        client,
        rows.map((row) => offeredOf(row, forgotten)),
      )
    observations += rows.length
    last = rows.at(-1)?.[0] ?? last
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
  return {
    layers: [layer],
    statistics: statisticsFrom(contribution, contribution.learned),
    cells: cellLessonsFrom(contribution, contribution.cells ?? []),
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
