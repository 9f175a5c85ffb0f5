import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { isDeleted } from '../../ground/tenant-states.js'

/** A project of an organization, as operations name it. */
export interface ProjectScope {
  readonly organization_id: string
  readonly project_id: string
}

/**
 * Returns whether a project belongs to another organization, or does not exist, or is deleted. Management owns projects, but each has a key
 * in identity before it is visible.
 */
export async function isForeignProject(
  database: Pick<Transaction, 'projectKey' | 'tenantState'>,
  { organization_id: organizationId, project_id: projectId }: ProjectScope,
): Promise<boolean> {
  const where = { organizationId, projectId }
  if ((await database.projectKey.findFirst({ where, select: { id: true } })) === null) return true
  return isDeleted(database, organizationId, projectId)
}

/** @throws OperationError `project_not_found` if the project does not belong to the organization */
export async function refuseForeignProject(
  database: Pick<Transaction, 'projectKey' | 'tenantState'>,
  project: ProjectScope,
): Promise<void> {
  if (await isForeignProject(database, project)) throw projectNotFound()
}

/** The project does not exist or belongs to another organization: callers cannot distinguish that. */
export function projectNotFound(): OperationError {
  return new OperationError(
    'project_not_found',
    'There is no such project, or the credential does not reach it.',
  )
}
