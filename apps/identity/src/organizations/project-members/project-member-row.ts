import { OperationError } from '@bearing/contracts/errors'
import type { listProjectMembers } from '@bearing/contracts/identity/members/project-member'
import type { Output } from '@bearing/contracts/operation'
import type { ProjectRole } from '@bearing/contracts/principal'

type ProjectMember = Output<typeof listProjectMembers>['data'][number]

/** The columns to return. */
export const SHOWN = {
  role: true,
  connectionId: true,
  membership: { select: { user: { select: { id: true, email: true } } } },
} as const

interface Row {
  readonly role: string
  readonly connectionId: string | null
  readonly membership: { readonly user: { readonly id: string; readonly email: string } }
}

/** Returns a member as the contract has it. */
export function toProjectMember({ role, connectionId, membership: { user } }: Row): ProjectMember {
  return {
    user_id: user.id,
    email: user.email,
    role: role as ProjectRole, // checked by the database
    connection_id: connectionId,
  }
}

/** The user has no role in the project. */
export function projectMemberNotFound(): OperationError {
  return new OperationError('member_not_found', 'The project has no such member.')
}
