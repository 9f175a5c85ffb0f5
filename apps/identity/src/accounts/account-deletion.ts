import { OperationError } from '@bearing/contracts/errors'
import { membershipChanged } from '@bearing/contracts/identity/member'
import { deleteUser, userDeleted } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { OutboxRelay, type OutboxEvent } from '@bearing/service/outbox-relay'
import { Injectable } from '@nestjs/common'
import { AuditLog } from '../ground/audit/audit-log.js'
import { Database, type Transaction } from '../ground/database.js'
import { CredentialChanges } from '../ground/events/credential-changes.js'
import { OutboxEvents } from '../ground/events/outbox-events.js'
import { lockAdminsOf } from '../organizations/members/lock-admins.js'
import { lockIdentities } from '../sso/identities/lock-identities.js'
import { EndSignIns } from '../people/users/end-sign-ins.js'
import { lockUser, lockUserByEmail, userNotFound } from '../people/users/lock-user.js'

/** The most organizations that a message names. */
const MAX_NAMED = 20

interface EndedMembership {
  readonly organizationId: string
  readonly role: string
}

/**
 * Deletes accounts, whoever wants it. API key and memberships go with the account (by foreign key); organization tokens
 * that the user created are their organizations', and stay.
 */
@Injectable()
export class EndAccount {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly signIns: EndSignIns,
    private readonly events: OutboxEvents,
    private readonly relay: OutboxRelay,
  ) {}

  /**
   * Deletes an account.
   *
   * @throws OperationError `user_not_found`; `last_admin` where an organization would be without an admin
   */
  async end(whose: Input<typeof deleteUser>, by: Principal): Promise<Output<typeof deleteUser>> {
    const { user, ended } = await this.database.transaction(async (transaction) => {
      const user = await ('email' in whose
        ? lockUserByEmail(transaction, whose.email)
        : lockUser(transaction, whose.user_id))
      if (!user) throw userNotFound()
      await refuseLastAdminAnywhere(transaction, user.id)
      const credentials = await this.signIns.record(transaction, by, user)
      const memberships = await endMemberships(transaction, user.id)
      await lockIdentities(transaction, { userId: user.id })
      await this.withdrawPartnerRequests(transaction, user.id)
      await transaction.user.delete({ where: { id: user.id } })
      await this.auditAll(transaction, by, memberships, user.id)
      return { user, ended: { credentials, others: await this.tell(transaction, memberships, user.id) } }
    })
    // The gateways first: when the caller hears that the account is gone, its credentials are.
    await this.changes.publish(ended.credentials)
    await this.relay.published(ended.others)
    return { user_id: user.id, email: user.email }
  }

  /** Else the team would go with who has asked for its organization, and with it everybody's sessions. */
  private async withdrawPartnerRequests(transaction: Transaction, userId: string): Promise<void> {
    await transaction.partnerTeam.updateMany({
      where: { requestedBy: userId },
      data: { requestedOrganizationId: null, requestedBy: null, requestedAt: null, requestId: null },
    })
  }

  /** Every organization finds in its own log that the user is gone. */
  private async auditAll(
    transaction: Transaction,
    by: Principal,
    memberships: readonly EndedMembership[],
    userId: string,
  ): Promise<void> {
    const target = ['user', userId] as const
    for (const { organizationId, role } of memberships)
      await this.audit.record(transaction, by, {
        action: 'membership.removed',
        target,
        organizationId,
        details: { role_before: role },
      })
    await this.audit.record(transaction, by, { action: 'user.deleted', target })
  }

  private async tell(
    transaction: Transaction,
    memberships: readonly EndedMembership[],
    user_id: string,
  ): Promise<readonly OutboxEvent[]> {
    const ends = await this.events.recordAll(
      transaction,
      membershipChanged,
      memberships.map(({ organizationId }) => ({ organization_id: organizationId, user_id, role: null })),
    )
    const deleted = await this.events.record(transaction, userDeleted, { user_id })
    return [...ends, deleted]
  }
}

/** What is told of is what was there to the end: somebody may have removed the user while we waited for our turn. */
function endMemberships(transaction: Transaction, userId: string): Promise<readonly EndedMembership[]> {
  return transaction.$queryRaw<EndedMembership[]>`
    DELETE FROM memberships WHERE user_id = ${userId}::uuid
    RETURNING organization_id AS "organizationId", role`
}

/**
 * Looks at every organization that the user is in, and not just at those that they are an admin of now: they could be
 * made one while we look.
 */
async function refuseLastAdminAnywhere(transaction: Transaction, userId: string): Promise<void> {
  const memberships = await transaction.membership.findMany({
    where: { userId },
    select: { organizationId: true },
  })
  const organizationIds = memberships.map(({ organizationId }) => organizationId)
  const admins = await lockAdminsOf(transaction, organizationIds)
  const orphaned = organizationIds.filter((organizationId) => {
    const own = admins.filter((admin) => admin.organizationId === organizationId)
    return own.length === 1 && own[0]?.userId === userId
  })
  if (orphaned.length === 0) return
  const named = orphaned.slice(0, MAX_NAMED).join(', ')
  const more = orphaned.length > MAX_NAMED ? ` and ${String(orphaned.length - MAX_NAMED)} more` : ''
  throw new OperationError(
    'last_admin',
    `Without this user these organizations would have no admin: ${named}${more}. Make somebody else an admin of each first.`,
  )
}
