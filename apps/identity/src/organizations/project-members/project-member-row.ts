import { OperationError } from '@bearing/contracts/errors'
import type { listProjectMembers } from '@bearing/contracts/identity/project-member'
import type { Output } from '@bearing/contracts/operation'
import type { ProjectRole } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { projectNotFound } from '../../credentials/project-keys/project-key-row.js'

type ProjectMember = Output<typeof listProjectMembers>['data'][number]

/** A project of an organization, as operations name it. */
export interface ProjectOf {
  readonly organization_id: string
  readonly project_id: string
}

/** What is shown of a member. */
export const SHOWN = {
  role: true,
  membership: { select: { user: { select: { id: true, email: true } } } },
} as const

interface Row {
  readonly role: string
  readonly membership: { readonly user: { readonly id: string; readonly email: string } }
}

/** A member as the contract has it. */
export function toProjectMember({ role, membership: { user } }: Row): ProjectMember {
  return { user_id: user.id, email: user.email, role: role as ProjectRole /* checked by the database */ }
}

/**
 * Whether a project is not the organization's. Projects themselves are management's, but each has had a key here from
 * before its first moment.
 */
export async function isForeignProject(
  database: Pick<Transaction, 'projectKey'>,
  project: ProjectOf,
): Promise<boolean> {
  const key = await database.projectKey.findFirst({
    where: { organizationId: project.organization_id, projectId: project.project_id },
    select: { id: true },
  })
  return key === null
}

/**
 * Refuses a project that is not the organization's.
 *
 * @throws OperationError `project_not_found`
 */
export async function refuseForeignProject(transaction: Transaction, project: ProjectOf): Promise<void> {
  if (await isForeignProject(transaction, project)) throw projectNotFound()
}

/** Somebody who has no role of their own in the project. */
export function projectMemberNotFound(): OperationError {
  return new OperationError('member_not_found', 'The project has no such member.')
}
