import { OperationError } from '@bearing/contracts/errors'
import type { Database, Transaction } from '../../ground/database.js'

/**
 * Verifies that a project is not deleted and belongs to the organization of the input, for which the permission was checked.
 *
 * @throws OperationError `project_not_found`
 */
export async function requireProject(
  database: Database | Transaction,
  { organization_id, project_id }: { readonly organization_id: string; readonly project_id: string },
): Promise<void> {
  const where = { id: project_id, organizationId: organization_id, deletedAt: null }
  if (await database.project.findUnique({ where, select: { id: true } })) return
  throw projectNotFound()
}

/** Returns the error for a project that does not exist or that the caller must not know of. */
export function projectNotFound(): OperationError {
  return new OperationError(
    'project_not_found',
    'The project does not exist, or the credential has no access to it.',
  )
}
