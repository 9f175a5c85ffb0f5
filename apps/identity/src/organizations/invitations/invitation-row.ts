import { OperationError } from '@bearing/contracts/errors'
import type { createInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Output } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { lockInvitation } from '../../ground/locks.js'
import { invitationState, type InvitationMoments } from '../../ground/rules/invitation-state.js'
import { tokenState } from '../../ground/rules/token-state.js'
import type { Administrator } from '../members/require-admin.js'

type Invitation = Output<typeof createInvitation>

type InvitedProject = Invitation['projects'][number]

interface Row extends InvitationMoments {
  readonly id: string
  readonly email: string
  readonly role: string
  readonly projects: unknown
  readonly sentAt: Date
  readonly invitedBy: string
}

/** Returns an invitation as the contract has it. */
export function toInvitation(row: Row, now: Date): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as OrganizationRole, // checked by the database
    projects: projectsOf(row),
    state: invitationState(row, now),
    sent_at: row.sentAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    invited_by: row.invitedBy,
    accepted_at: row.acceptedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }
}

export function projectsOf({ projects }: { readonly projects: unknown }): InvitedProject[] {
  return projects as { project_id: string; role: ProjectRole }[] // written by createInvitation and nothing else
}

/**
 * Locks an invitation, with the admins of the organization locked before.
 *
 * @throws OperationError `invitation_not_found`
 */
export async function lockedInvitation(transaction: Transaction, id: string, organizationId: string) {
  await lockInvitation(transaction, id)
  const row = await transaction.invitation.findFirst({ where: { id, organizationId } })
  if (!row) throw invitationNotFound()
  return row
}

interface Inviter {
  /** The user, or the one who created the inviting token. */
  readonly invitedBy: string
  /** The credential that the inviting token comes from. Null: a user has invited. */
  readonly invitedByCredential: string | null
}

/** Returns the columns that name the inviter. */
export function inviterOf({ userId, rootId }: Administrator): Inviter {
  return { invitedBy: userId, invitedByCredential: rootId }
}

/** Returns whether the inviter still could invite: invitations of former admins and of ended tokens are void. */
export async function mayStillInvite(
  transaction: Transaction,
  row: Inviter & { readonly organizationId: string },
  now: Date,
): Promise<boolean> {
  const { invitedBy: userId, invitedByCredential: id, organizationId } = row
  if (id !== null) {
    const token = await transaction.organizationToken.findUnique({ where: { id, organizationId } })
    if (token) return tokenState(token, now) === 'active'
    return (await transaction.workloadTrust.count({ where: { id, organizationId } })) > 0
  }
  const where = { userId_organizationId: { userId, organizationId } }
  return (await transaction.membership.findUnique({ where }))?.role === 'admin'
}

/** Returns the email address of the inviter. The user who created an inviting token may be gone. */
export async function inviterName(transaction: Transaction, { invitedBy: id }: Inviter): Promise<string> {
  const user = await transaction.user.findUnique({ where: { id }, select: { email: true } })
  return user?.email ?? 'An admin'
}

/** There is no invitation with this id, or no working link with this secret. */
export function invitationNotFound(
  message = 'There is no such invitation in the organization.',
): OperationError {
  return new OperationError('invitation_not_found', message)
}

/** The invitation was accepted or revoked, or has expired. Admins and holders of the link may learn which. */
export function invitationEnded(reason: 'accepted' | 'revoked' | 'expired'): OperationError {
  const next =
    reason === 'accepted' ? 'Sign in as usual.' : 'Ask an admin of the organization for another one.'
  return new OperationError('invitation_ended', `The invitation was ${REASONS[reason]}. ${next}`, { reason })
}

const REASONS = { accepted: 'accepted already', revoked: 'revoked', expired: 'not accepted in time' } as const
