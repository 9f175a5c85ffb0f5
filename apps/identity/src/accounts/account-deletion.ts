import { OperationError } from '@bearing/contracts/errors'
import { membershipChanged } from '@bearing/contracts/identity/members/member'
import { deleteUser, userDeleted } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { recordEvent } from '@bearing/service/store/transactions'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../ground/audit/record-audit.js'
import { Database, type Transaction } from '../ground/database.js'
import { Prisma } from '../generated/prisma/client.js'
import { lockAdminsOf, lockIdentities, lockUser, lockUserByEmail } from '../ground/locks.js'
import { deletedState } from '../ground/tenant-states.js'
import { endSignIns } from '../people/sessions/end-sessions.js'
import { userNotFound } from '../people/users/calling-user.js'

/** Maximum number of organizations that an error message names. */
const MAX_NAMED = 20

/** Deletes accounts with everything of them in all wings; foreign keys delete most rows. Organization tokens stay. */
@Injectable()
export class AccountDeletion {
  constructor(private readonly database: Database) {}

  /** @throws OperationError `user_not_found`; `last_admin` if an organization would be without an admin */
  delete(which: Input<typeof deleteUser>, by: Principal): Promise<Output<typeof deleteUser>> {
    return this.database.transaction(async (transaction) => {
      const user = await ('email' in which
        ? lockUserByEmail(transaction, which.email)
        : lockUser(transaction, which.user_id))
      if (!user) throw userNotFound()
      await refuseLastAdminAnywhere(transaction, user.id)
      await endSignIns(transaction, by, user)
      await endMemberships(transaction, by, user.id)
      await lockIdentities(transaction, { userId: user.id })
      await withdrawPartnerRequests(transaction, user.id)
      await transaction.user.delete({ where: { id: user.id } })
      recordAudit(transaction, by, { action: 'user.deleted', target: ['user', user.id] })
      recordEvent(transaction, userDeleted, { user_id: user.id })
      return { user_id: user.id, email: user.email }
    })
  }
}

/** Reads the memberships as they are deleted: an admin may have removed the user just before. */
async function endMemberships(transaction: Transaction, by: Principal, user_id: string): Promise<void> {
  const ended = await transaction.$queryRaw<{ readonly organization_id: string; readonly role: string }[]>`
    DELETE FROM memberships WHERE user_id = ${user_id}::uuid RETURNING organization_id, role`
  for (const { organization_id, role } of ended) {
    recordAudit(transaction, by, {
      action: 'membership.removed',
      target: ['user', user_id],
      organizationId: organization_id,
      details: { role_before: role },
    })
    recordEvent(transaction, membershipChanged, { organization_id, user_id, role: null })
  }
}

/** Otherwise the foreign key would delete the team and with it the sessions of all its users. */
async function withdrawPartnerRequests(transaction: Transaction, userId: string): Promise<void> {
  await transaction.partnerTeam.updateMany({
    where: { requestedBy: userId },
    data: { requestedOrganizationId: null, requestedBy: null, requestedAt: null, requestId: null },
  })
}

/** Checks all organizations of the user that are not deleted: they could become an admin of any of them meanwhile. */
async function refuseLastAdminAnywhere(transaction: Transaction, userId: string): Promise<void> {
  const deleted = deletedState(Prisma.sql`m.organization_id`)
  const memberships = await transaction.$queryRaw<{ readonly organizationId: string }[]>`
    SELECT m.organization_id AS "organizationId" FROM memberships m
    WHERE m.user_id = ${userId}::uuid AND ${deleted} IS NULL`
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
    `Without this user these organizations would have no admin: ${named}${more}. Make another member an admin of each first.`,
  )
}
