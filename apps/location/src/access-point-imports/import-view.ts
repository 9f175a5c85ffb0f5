import type { showImport } from '@bearing/contracts/location/access-point-import'
import { OperationError } from '@bearing/contracts/errors'
import type { Output } from '@bearing/contracts/operation'
import type { Transaction } from '../database.js'

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

/** What has been stored of an import. */
export interface Stored {
  readonly batches: number
  readonly rows: number
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
    'There is no such import here. One that is not committed is forgotten a day after its last batch: begin it again.',
  )
}

/** Counts what has been stored of an import that is not committed yet. */
export async function countStored(database: Transaction, importId: string): Promise<Stored> {
  const { _count, _sum } = await database.importBatch.aggregate({
    where: { importId },
    _count: true,
    _sum: { rows: true },
  })
  return { batches: _count, rows: _sum.rows ?? 0 }
}

/** An import as it is shown. */
export async function viewImport(database: Transaction, row: ImportRow): Promise<View> {
  const counts = row.state === 'open' ? await countStored(database, row.id) : row
  return {
    id: row.id,
    content: row.content as View['content'], // checked by the database
    state: row.state as View['state'], // checked by the database
    created_at: row.createdAt.toISOString(),
    batches: counts.batches,
    rows: Number(counts.rows),
    added: row.added === null ? null : Number(row.added),
    updated: row.updated === null ? null : Number(row.updated),
    failure: row.failure,
  }
}
