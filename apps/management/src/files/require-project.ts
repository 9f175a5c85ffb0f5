import { OperationError } from '@bearing/contracts/errors'
import type { Database } from '../ground/database.js'

/**
 * Makes sure that a project belongs to an organization: the permission was checked for the organization of the input.
 *
 * @throws OperationError `project_not_found`
 */
export async function requireProject(
  database: Database,
  organizationId: string,
  projectId: string,
): Promise<void> {
  const where = { id: projectId, organizationId }
  if (!(await database.project.findUnique({ where, select: { id: true } })))
    throw new OperationError(
      'project_not_found',
      'There is no such project, or the credential does not reach it.',
    )
}
