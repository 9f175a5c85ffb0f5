import { OperationError } from '@bearing/contracts/errors'
import type { listMembers } from '@bearing/contracts/identity/member'
import type { Output } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'

type Member = Output<typeof listMembers>['data'][number]

/** The columns to return. */
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

/** Returns a member as the contract has it. */
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

/** The user is no member of the organization, with or without an account. */
export function memberNotFound(): OperationError {
  return new OperationError('member_not_found', 'The organization has no such member.')
}
