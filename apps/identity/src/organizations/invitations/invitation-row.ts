import { OperationError } from '@bearing/contracts/errors'
import type { createInvitation } from '@bearing/contracts/identity/invitation'
import type { Output } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { invitationState, type InvitationMoments } from '../../ground/rules/invitation-state.js'

type Invitation = Output<typeof createInvitation>

/** What an invitation gives in projects, as it is stored. */
export type InvitedProject = Invitation['projects'][number]

interface Row extends InvitationMoments {
  readonly id: string
  readonly email: string
  readonly role: string
  readonly projects: unknown
  readonly sentAt: Date
  readonly invitedBy: string
}

/** An invitation as the contract has it. */
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

/** The roles in projects that an invitation gives. */
export function projectsOf({ projects }: { readonly projects: unknown }): InvitedProject[] {
  return projects as { project_id: string; role: ProjectRole }[] // written by createInvitation and nothing else
}

/**
 * An invitation, which nobody else changes until the transaction ends. The organization's admins have to be locked
 * before, or two could wait for each other.
 *
 * @throws OperationError `invitation_not_found`
 */
export async function lockInvitation(transaction: Transaction, id: string, organizationId: string) {
  await transaction.$queryRaw`SELECT 1 FROM invitations WHERE id = ${id}::uuid FOR UPDATE`
  const row = await transaction.invitation.findFirst({ where: { id, organizationId } })
  if (!row) throw invitationNotFound()
  return row
}

/** Whether who has sent an invitation is still an admin: what somebody left behind who is gone lets nobody in. */
export async function isStillAdmin(
  transaction: Transaction,
  { invitedBy: userId, organizationId }: { readonly invitedBy: string; readonly organizationId: string },
): Promise<boolean> {
  const place = { userId_organizationId: { userId, organizationId } }
  return (await transaction.membership.findUnique({ where: place }))?.role === 'admin'
}

/** There is none with this id, or no link with this secret works. */
export function invitationNotFound(
  message = 'There is no such invitation in the organization.',
): OperationError {
  return new OperationError('invitation_not_found', message)
}

/** It was accepted or revoked, or is too old; who has the link or is an admin may know which. */
export function invitationEnded(reason: 'accepted' | 'revoked' | 'expired'): OperationError {
  const next =
    reason === 'accepted' ? 'Sign in as usual.' : 'Ask an admin of the organization for another one.'
  return new OperationError('invitation_ended', `The invitation was ${REASONS[reason]}. ${next}`, { reason })
}

const REASONS = { accepted: 'accepted already', revoked: 'revoked', expired: 'not accepted in time' } as const
