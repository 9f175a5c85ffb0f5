import { OperationError } from '@bearing/contracts/errors'
import type { listMembers } from '@bearing/contracts/identity/member'
import type { Output } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'

type Member = Output<typeof listMembers>['data'][number]

/** What is shown of a member. */
export const SHOWN = {
  role: true,
  user: { select: { id: true, email: true } },
  projects: { select: { projectId: true, role: true }, orderBy: { projectId: 'asc' } },
} as const

interface Row {
  readonly role: string
  readonly user: { readonly id: string; readonly email: string }
  readonly projects: readonly { readonly projectId: string; readonly role: string }[]
}

/** A member as the contract has it. */
export function toMember({ role, user, projects }: Row): Member {
  return {
    user_id: user.id,
    email: user.email,
    role: role as OrganizationRole, // checked by the database
    projects: projects.map((project) => ({
      project_id: project.projectId,
      role: project.role as ProjectRole, // checked by the database
    })),
  }
}

/** Somebody who is no member of the organization, whether they have an account or not. */
export function memberNotFound(): OperationError {
  return new OperationError('member_not_found', 'The organization has no such member.')
}
