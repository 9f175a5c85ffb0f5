import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/** A project of an organization, as operations name it. */
export interface ProjectScope {
  readonly organization_id: string
  readonly project_id: string
}

/**
 * Returns whether a project belongs to another organization or does not exist. Management owns projects, but each has a key
 * in identity before it is visible.
 */
export async function isForeignProject(
  database: Pick<Transaction, 'projectKey'>,
  { organization_id: organizationId, project_id: projectId }: ProjectScope,
): Promise<boolean> {
  const where = { organizationId, projectId }
  return (await database.projectKey.findFirst({ where, select: { id: true } })) === null
}

/** @throws OperationError `project_not_found` if the project does not belong to the organization */
export async function refuseForeignProject(
  database: Pick<Transaction, 'projectKey'>,
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
