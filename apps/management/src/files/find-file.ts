import { OperationError } from '@bearing/contracts/errors'
import type { Database, Transaction } from '../ground/database.js'
import { SHOWN } from './file-row.js'

/** A file of a project. */
interface FileScope {
  readonly organization_id: string
  readonly project_id: string
  readonly file_id: string
}

/**
 * Returns a file of a project.
 *
 * @throws OperationError `file_not_found`
 */
export async function findFile(database: Database | Transaction, scope: FileScope) {
  const row = await database.storedFile.findUnique({
    where: { id: scope.file_id, organizationId: scope.organization_id, projectId: scope.project_id },
    select: { ...SHOWN, object: true, attributes: true },
  })
  if (!row)
    throw new OperationError('file_not_found', 'The project has no such file. It may have been deleted.')
  return row
}
