import { OperationError } from '@bearing/contracts/errors'
import type { Database, Transaction } from '../../ground/database.js'

/** How soon unfinished moves are retried, in seconds. */
const RETRY_AFTER_S = 10

/**
 * Verifies that everything has followed a device that was moved to a project: what comes after a deletion or another move would
 * stay there.
 *
 * @throws OperationError `overloaded`
 */
export async function requireFinishedMoves(
  database: Database | Transaction,
  { projectId: toProjectId, serial }: { readonly projectId: string; readonly serial: string },
): Promise<void> {
  const where = { toProjectId, serial, finishedAt: null }
  if (!(await database.deviceMove.findFirst({ where, select: { id: true } }))) return
  throw new OperationError(
    'overloaded',
    'The device was moved to this project, and its positions have not followed yet. Try again shortly.',
    { retry_after: RETRY_AFTER_S },
  )
}
