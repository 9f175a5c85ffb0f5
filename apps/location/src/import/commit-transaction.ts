import { accessPointsChanged } from '@bearing/contracts/location/access-point-import'
import type { TakeRow } from '@bearing/contracts/location/packed-rows'
import type { EventData } from '@bearing/contracts/operation'
import type { OutboxEvent } from '@bearing/service/outbox-relay'
import type pg from 'pg'
import { ACCESS_POINT } from '../ground/stations/access-point.js'
import { readTombstones } from '../ground/tombstones.js'
import { organizationOf } from '../ground/layer.js'
import { storeEvent } from '../ground/outbox.js'
import { inTurns } from '../ground/in-turns.js'
import { MAX_STORED_ROWS, readPayload } from './batch-payload.js'
import { GatheredObservations } from './gathered-observations.js'
import { GatheredPositions } from './gathered-positions.js'
import type { Changes } from './gathering.js'
import { mergeCells } from './merge-cells.js'
import { mergeGathered } from './merge-gathered.js'
import { readBatches } from './read-batches.js'

/**
 * Memory that Postgres may take to sort or join what was gathered, instead of its disk: a million access points take 80 MB. One
 * import is committed at a time in each process.
 */
const WORK_MEMORY = "SET LOCAL work_mem = '96MB'"

/** What a commit is given. */
export interface CommitContext {
  /** Access points that are gathered in memory before they are written. */
  readonly placesAtOnce: number
  readonly now: () => Date
  readonly newId: () => string
}

/** An import that somebody has to commit. */
interface Claimed {
  readonly id: string
  readonly layer: string
  readonly content: string
  /** How many it has, in all of its batches. */
  readonly rows: number
  readonly request_id: string | null
}

/** An import that cannot be committed, however often it is tried. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'

  constructor(
    readonly importId: string,
    cause: unknown,
  ) {
    super('an import could not be committed', { cause })
  }
}

/**
 * Commits one import: all of it becomes visible at once, or nothing of it.
 *
 * The row of the import is locked as long as the transaction runs, so every import is in the hands of one process, and
 * goes to another when that one dies.
 *
 * @param client a connection that nobody else uses
 * @param pool another one, to read the batches with
 * @param resting ids of imports that are left alone for now
 * @returns the event to publish, or undefined where there is nothing to commit
 * @throws ImportFailure where something went wrong with an import
 */
export async function commitNextImport(
  client: pg.ClientBase,
  pool: pg.Pool,
  context: CommitContext,
  resting: readonly string[] = [],
): Promise<OutboxEvent | undefined> {
  await client.query('BEGIN')
  const claimed = await claim(client, resting)
  if (!claimed) {
    await client.query('ROLLBACK')
    return undefined
  }
  try {
    await lockLayer(client, claimed.layer, context.now())
    const now = context.now()
    const { placesAtOnce } = context
    const changes =
      claimed.content === 'cells'
        ? await mergeCellBatches(client, pool, claimed, now)
        : await mergeBatches(client, pool, { claimed, now, placesAtOnce })
    await finish(client, claimed, changes, now)
    const event = await record(client, claimed, changes, {
      id: context.newId(),
      auditId: context.newId(),
      now,
    })
    await client.query('COMMIT')
    return event
  } catch (error) {
    throw new ImportFailure(claimed.id, error)
  }
}

async function claim(client: pg.ClientBase, resting: readonly string[]): Promise<Claimed | undefined> {
  // NO KEY: batches point to the import, and who looks at them must not wait.
  const { rows } = await client.query<Claimed>(
    `SELECT id, organization_id AS layer, content, rows::float8, commit_request_id AS request_id FROM imports
     WHERE state = 'committing' AND id <> ALL ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED LIMIT 1`,
    [resting],
  )
  return rows[0]
}

async function lockLayer(client: pg.ClientBase, layer: string, now: Date): Promise<void> {
  await client.query('INSERT INTO layers VALUES ($1, 0, 0, $2) ON CONFLICT DO NOTHING', [layer, now])
  await client.query('SELECT FROM layers WHERE organization_id = $1 FOR UPDATE', [layer])
}

/** Merges the rows of an import: at once where their access points fit into memory, else in parts. */
async function mergeBatches(
  client: pg.ClientBase,
  pool: pg.Pool,
  { claimed, now, placesAtOnce }: { claimed: Claimed; now: Date; placesAtOnce: number },
): Promise<Changes> {
  const changes: Changes = { added: 0, updated: 0, observations: 0 }
  const Gathered = claimed.content === 'positions' ? GatheredPositions : GatheredObservations
  // A batch more: one that begins below the limit may end above it.
  const capacity = Math.min(placesAtOnce + MAX_STORED_ROWS, claimed.rows)
  const gathered = new Gathered(capacity, { layer: claimed.layer, now })
  const tombstones = await readTombstones(client, claimed.layer)
  const take: TakeRow = (bssid, lat, lon, signalDbm) => {
    if (tombstones.keeps(ACCESS_POINT, bssid, lat, lon)) gathered.take(bssid, lat, lon, signalDbm)
  }
  const merge = () => mergeGathered(client, gathered, changes)
  await client.query(WORK_MEMORY)
  for await (const payload of readBatches(pool, claimed.id)) {
    await readPayload(payload, take)
    if (gathered.size < placesAtOnce) continue
    await inTurns(gathered.tidy())
    // Else there is room for as many again before the next time.
    if (2 * gathered.size > placesAtOnce) await merge()
  }
  if (gathered.size > 0) await merge()
  return changes
}

/** Merges the cells of an import, batch by batch. */
async function mergeCellBatches(
  client: pg.ClientBase,
  pool: pg.Pool,
  { id, layer }: Claimed,
  now: Date,
): Promise<Changes> {
  const changes: Changes = { added: 0, updated: 0, observations: 0 }
  const tombstones = await readTombstones(client, layer)
  for await (const payload of readBatches(pool, id)) {
    const { added, updated } = await mergeCells(client, layer, payload, now, tombstones)
    changes.added += added
    changes.updated += updated
  }
  return changes
}

async function finish(
  client: pg.ClientBase,
  { id, layer, content }: Claimed,
  changes: Changes,
  now: Date,
): Promise<void> {
  const { added, updated, observations } = changes
  // Cells are no access points of the layer.
  const accessPoints = content === 'cells' ? 0 : added
  await client.query(
    `UPDATE layers SET access_points = access_points + $2, observations = observations + $3, updated_at = $4
     WHERE organization_id = $1`,
    [layer, accessPoints, observations, now],
  )
  await client.query(
    `UPDATE imports SET state = 'committed', added = $2, updated = $3, ended_at = $4 WHERE id = $1`,
    [id, added, updated, now],
  )
  await client.query('DELETE FROM import_batches WHERE import_id = $1', [id])
}

/** Writes down that it was done, and what is to be told to everybody, in the same transaction. */
async function record(
  client: pg.ClientBase,
  { id: importId, layer, request_id }: Claimed,
  { added, updated, observations }: Changes,
  { id, auditId, now }: { id: string; auditId: string; now: Date },
): Promise<OutboxEvent> {
  const organizationId = organizationOf(layer)
  await client.query(
    `INSERT INTO audit_log (id, organization_id, actor_kind, actor_service, action, target, details, request_id, at)
     VALUES ($1, $2, 'service', 'location', 'access_point_import.committed', $3, $4, $5, $6)`,
    [
      auditId,
      organizationId,
      `access_point_import:${importId}`,
      { added, updated, observations },
      request_id ?? '',
      now,
    ],
  )
  const { subject } = accessPointsChanged
  const data: EventData<typeof accessPointsChanged> = { id, organization_id: organizationId }
  const event = { id, subject, data }
  await storeEvent(client, event, now)
  return event
}
