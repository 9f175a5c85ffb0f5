import type { showImport } from '@bearing/contracts/location/access-points/access-point-import'
import { OperationError } from '@bearing/contracts/errors'
import type { Output } from '@bearing/contracts/operation'
import type { Transaction } from '../ground/database.js'

type View = Output<typeof showImport>

/** The columns that an import is shown from. */
export interface ImportRow {
  readonly id: string
  readonly content: string
  readonly state: string
  readonly createdAt: Date
  readonly batches: number
  readonly rows: bigint
  readonly added: bigint | null
  readonly updated: bigint | null
  readonly failure: string | null
}

/** The stored part of an import. */
export interface Stored {
  readonly batches: number
  readonly rows: number
  /** Of these the batches from 0 without a gap, and their rows. */
  readonly next_batch: number
  readonly next_row: number
}

/**
 * Finds an import of a layer.
 *
 * @throws OperationError `import_not_found` where there is none, or it belongs to another layer
 */
export async function findImport(database: Transaction, layer: string, id: string): Promise<ImportRow> {
  const found = await database.import.findFirst({ where: { id, organizationId: layer } })
  if (found) return found
  throw new OperationError(
    'import_not_found',
    'There is no such import here. An import that is not committed expires a day after its last batch. Begin it again.',
  )
}

export async function countStored(database: Transaction, row: ImportRow): Promise<Stored> {
  const batches = row.batches
  const rows = Number(row.rows)
  if (row.state !== 'open') return { batches, rows, next_batch: batches, next_row: rows }
  const [stored] = await database.$queryRaw<Stored[]>`
    SELECT count(*)::int AS batches, coalesce(sum(rows), 0)::float8 AS rows,
      count(*) FILTER (WHERE batch = place)::int AS next_batch,
      coalesce(sum(rows) FILTER (WHERE batch = place), 0)::float8 AS next_row
    FROM (
      SELECT batch, rows, row_number() OVER (ORDER BY batch) - 1 AS place FROM import_batches
      WHERE import_id = ${row.id}::uuid
    ) AS numbered`
  return stored ?? { batches: 0, rows: 0, next_batch: 0, next_row: 0 }
}

/** Returns an import as it is shown. */
export async function viewImport(database: Transaction, row: ImportRow): Promise<View> {
  const counts = await countStored(database, row)
  return {
    id: row.id,
    content: row.content as View['content'], // checked by the database
    state: row.state as View['state'], // checked by the database
    created_at: row.createdAt.toISOString(),
    ...counts,
    added: row.added === null ? null : Number(row.added),
    updated: row.updated === null ? null : Number(row.updated),
    failure: row.failure,
  }
}
