import { OperationError } from '@bearing/contracts/errors'
import type { Database, Transaction } from '../ground/database.js'
import { SHOWN } from './file-row.js'

/** How a file is asked for. */
interface Asked {
  readonly organization_id: string
  readonly project_id: string
  readonly file_id: string
}

/**
 * Finds a file of a project.
 *
 * @throws OperationError `file_not_found`
 */
export async function findFile(database: Database | Transaction, asked: Asked) {
  const row = await database.storedFile.findUnique({
    where: { id: asked.file_id, organizationId: asked.organization_id, projectId: asked.project_id },
    select: { ...SHOWN, object: true },
  })
  if (!row) throw new OperationError('file_not_found', 'There is no such file in this project.')
  return row
}
