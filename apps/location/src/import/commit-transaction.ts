import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import type { TakeRow } from '@bearing/contracts/location/access-points/packed-rows'
import { recordEvent, type Transactions } from '@bearing/service/store/transactions'
import type pg from 'pg'
import { ACCESS_POINT } from '../ground/stations/access-point.js'
import { readTombstones } from '../ground/tombstones.js'
import { organizationOf } from '../ground/layer.js'
import { recordAudit } from '../ground/audit-log.js'
import { lockLayerSums } from '../ground/locks.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import { inTurns } from '../ground/in-turns.js'
import { MAX_STORED_ROWS, readPayload } from './batch-payload.js'
import { GatheredObservations } from './gathered-observations.js'
import { GatheredPositions } from './gathered-positions.js'
import type { Changes } from './gathering.js'
import { mergeCells } from './merge-cells.js'
import { mergeGathered } from './merge-gathered.js'

/** Batches that one query reads: with 16,384 rows each 2 MB. */
const BATCHES_PER_READ = 8

const BATCHES = {
  text: 'SELECT batch, payload FROM import_batches WHERE import_id = $1 AND batch > $2 ORDER BY batch LIMIT $3',
  columns: { batch: 'int4', payload: 'bytea' },
} as const

/** Returns the stored batches of an import (`batch-payload.ts`), in the order of their numbers. */
export async function* readBatches(pool: pg.Pool, importId: string): AsyncGenerator<Uint8Array> {
  for (let last = -1; ;) {
    const rows = await readRows(pool, BATCHES, [importId, last, BATCHES_PER_READ])
    for (const { batch, payload } of rows) {
      last = batch
      yield payload
    }
    if (rows.length < BATCHES_PER_READ) return
  }
}

const LOCATION = { kind: 'service', name: 'location' } as const

/** Postgres sorts and joins in memory: a million access points take 80 MB. Each process commits one import at a time. */
const WORK_MEMORY = "SET LOCAL work_mem = '96MB'"

export interface CommitContext {
  /** Access points that are collected in memory before they are written. */
  readonly mostGathered: number
  readonly now: () => Date
  readonly transactions: Transactions
}

/** NO KEY: batches refer to the import, and their readers must not wait. */
const CLAIM = {
  text: `SELECT id, organization_id AS layer, content, rows, commit_request_id AS request_id FROM imports
    WHERE state = 'committing' AND id <> ALL ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED LIMIT 1`,
  columns: { id: 'uuid', layer: 'uuid', content: 'text', rows: 'int8', request_id: 'text | null' },
} as const
type Claimed = RowOf<typeof CLAIM.columns>

/** An import could not be committed. */
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
 * Commits one import: all of it becomes visible, or nothing. The row of the import stays locked meanwhile, so one process works on
 * it, and another one takes over if that dies.
 *
 * @param client a connection that nobody else uses
 * @param pool another one, to read the batches with
 * @param waiting ids of imports to leave out for now
 * @returns the id of the import, or undefined if there is nothing to commit
 * @throws ImportFailure if an import could not be committed
 */
export async function commitNextImport(
  client: pg.ClientBase,
  pool: pg.Pool,
  context: CommitContext,
  waiting: readonly string[] = [],
): Promise<string | undefined> {
  let claimed: Claimed | undefined
  try {
    return await context.transactions.runOn(client, async () => {
      ;[claimed] = await readRows(client, CLAIM, [waiting])
      if (claimed) await commitClaimed(client, pool, context, claimed)
      return claimed?.id
    })
  } catch (error) {
    // Also if the audit entry, the event or the commit itself failed: other imports must not wait for this one.
    if (claimed) throw new ImportFailure(claimed.id, error)
    throw error
  }
}

async function commitClaimed(
  client: pg.ClientBase,
  pool: pg.Pool,
  { now: clock, mostGathered }: CommitContext,
  claimed: Claimed,
): Promise<void> {
  const { id, layer, content, request_id } = claimed
  await lockLayerSums(client, layer, clock())
  const now = clock()
  const { added, updated, observations } =
    content === 'cells'
      ? await mergeCellBatches(client, pool, claimed, now)
      : await mergeBatches(client, pool, { claimed, now, mostGathered })
  await finish(client, claimed, { added, updated, observations }, now)
  const organizationId = organizationOf(layer)
  recordAudit(client, LOCATION, {
    action: 'access_point_import.committed',
    target: ['access_point_import', id],
    organizationId,
    details: { added, updated, observations },
    requestId: request_id ?? '',
  })
  recordEvent(client, accessPointsChanged, { organization_id: organizationId })
}

/** Merges the rows of an import, in parts if its access points do not fit into memory. */
async function mergeBatches(
  client: pg.ClientBase,
  pool: pg.Pool,
  { claimed, now, mostGathered }: { claimed: Claimed; now: Date; mostGathered: number },
): Promise<Changes> {
  const changes: Changes = { added: 0, updated: 0, observations: 0 }
  const Gathered = claimed.content === 'positions' ? GatheredPositions : GatheredObservations
  // One batch more, because the limit is checked after a batch.
  const capacity = Math.min(mostGathered + MAX_STORED_ROWS, claimed.rows)
  const gathered = new Gathered(capacity, { layer: claimed.layer, now })
  const tombstones = await readTombstones(client, claimed.layer)
  const take: TakeRow = (bssid, lat, lon, signalDbm) => {
    if (tombstones.keeps(ACCESS_POINT, bssid, lat, lon)) gathered.take(bssid, lat, lon, signalDbm)
  }
  const merge = () => mergeGathered(client, gathered, changes)
  await client.query(WORK_MEMORY)
  for await (const payload of readBatches(pool, claimed.id)) {
    await readPayload(payload, take)
    if (gathered.size < mostGathered) continue
    await inTurns(gathered.tidy())
    // Otherwise as many again fit into memory.
    if (2 * gathered.size > mostGathered) await merge()
  }
  if (gathered.size > 0) await merge()
  return changes
}

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
  // The sums of a layer are those of access points.
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
