import { OperationError } from '@bearing/contracts/errors'
import type { Database, Transaction } from '../../ground/database.js'

/**
 * Makes sure that a project is one of an organization: the permission was checked for the organization of the input.
 *
 * @throws OperationError `project_not_found`
 */
export async function requireProject(
  database: Database | Transaction,
  { organization_id, project_id }: { readonly organization_id: string; readonly project_id: string },
): Promise<void> {
  const where = { id: project_id, organizationId: organization_id }
  if (await database.project.findUnique({ where, select: { id: true } })) return
  throw new OperationError(
    'project_not_found',
    'There is no such project, or the credential does not reach it.',
  )
}
