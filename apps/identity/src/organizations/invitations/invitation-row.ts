import { OperationError } from '@bearing/contracts/errors'
import type { createInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Output } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { lockInvitation } from '../../ground/locks.js'
import { invitationState, type InvitationMoments } from '../../ground/rules/invitation-state.js'

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

/** Returns whether the inviting user is still an admin: invitations of former admins are void. */
export async function isStillAdmin(
  transaction: Transaction,
  { invitedBy: userId, organizationId }: { readonly invitedBy: string; readonly organizationId: string },
): Promise<boolean> {
  const where = { userId_organizationId: { userId, organizationId } }
  return (await transaction.membership.findUnique({ where }))?.role === 'admin'
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
