import { OperationError } from '@bearing/contracts/errors'
import type { listMembers } from '@bearing/contracts/identity/members/member'
import type { Output } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'

type Member = Output<typeof listMembers>['data'][number]

/** The columns to return. */
export const SHOWN = {
  role: true,
  connectionId: true,
  user: { select: { id: true, email: true } },
  projects: { select: { projectId: true, role: true, connectionId: true }, orderBy: { projectId: 'asc' } },
} as const

/** The columns for admins: second factor and last sign-in. */
export const SHOWN_SECURITY = {
  signIn: { select: { at: true } },
  user: {
    select: {
      ...SHOWN.user.select,
      totp: { select: { confirmedAt: true } },
      _count: { select: { passkeys: true } },
      networks: { select: { lastSeenAt: true }, orderBy: { lastSeenAt: 'desc' }, take: 1 },
    },
  },
} as const

interface SecurityRow {
  readonly signIn: { readonly at: Date } | null
  readonly user: {
    readonly totp: { readonly confirmedAt: Date | null } | null
    readonly _count: { readonly passkeys: number }
    readonly networks: readonly { readonly lastSeenAt: Date }[]
  }
}

/** Returns what admins may see of a member besides. */
export function toMemberSecurity({ signIn, user: { totp, _count, networks } }: SecurityRow) {
  const signIns = [signIn?.at, networks[0]?.lastSeenAt].filter((at) => at !== undefined)
  return {
    second_factor: Boolean(totp?.confirmedAt) || _count.passkeys > 0,
    last_sign_in_at: signIns.length > 0 ? new Date(Math.max(...signIns.map(Number))).toISOString() : null,
  }
}

interface Row {
  readonly role: string
  readonly connectionId: string | null
  readonly user: { readonly id: string; readonly email: string }
  readonly projects: readonly {
    readonly projectId: string
    readonly role: string
    readonly connectionId: string | null
  }[]
}

/** Returns a member as the contract has it. */
export function toMember({ role, connectionId, user, projects }: Row): Member {
  return {
    user_id: user.id,
    email: user.email,
    role: role as OrganizationRole, // checked by the database
    connection_id: connectionId,
    projects: projects.map((project) => ({
      project_id: project.projectId,
      role: project.role as ProjectRole, // checked by the database
      connection_id: project.connectionId,
    })),
  }
}

/** The user is no member of the organization, with or without an account. */
export function memberNotFound(): OperationError {
  return new OperationError('member_not_found', 'The organization has no such member.')
}

/** @throws OperationError `role_from_provider` for a role that a role mapping gave */
export function refuseMappedRole({ connectionId }: { readonly connectionId: string | null }): void {
  if (connectionId === null) return
  throw new OperationError(
    'role_from_provider',
    `The role mapping of the single sign-on connection ${connectionId} gave this role. Change the groups of the user at the provider, or the role mapping.`,
  )
}
