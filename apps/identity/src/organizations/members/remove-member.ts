import { removeMember } from '@bearing/contracts/identity/members/member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { lockAdmins, lockUser } from '../../ground/locks.js'
import { endSessionsInOrganization } from '../../people/sessions/end-sessions.js'
import { SHOWN, memberNotFound, toMember } from './member-row.js'
import { refuseLastAdmin, requireAdminGrant, requireAdministrator } from './require-admin.js'

@Controller()
export class RemoveMember {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Project roles are deleted with the membership, by foreign key. */
  @Handle(removeMember)
  async execute(input: Input<typeof removeMember>, by: Principal): Promise<Output<typeof removeMember>> {
    const { organization_id: organizationId, user_id: userId } = input
    const member = { organizationId, userId }
    const row = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      const admins =
        by.kind === 'user' && by.user_id === userId
          ? await lockAdmins(transaction, organizationId)
          : (await requireAdministrator(transaction, organizationId, by, 'member:manage')).admins
      const where = { userId_organizationId: member }
      const row = await transaction.membership.findUnique({ where, select: SHOWN })
      if (!row) throw memberNotFound()
      if (row.role === 'admin') requireAdminGrant(by)
      refuseLastAdmin(admins, userId)
      // In an organization without an admin no lock was taken.
      const { count } = await transaction.membership.deleteMany({ where: member })
      if (count === 0) throw memberNotFound()
      await transaction.formerMember.createMany({ data: [member], skipDuplicates: true })
      recordAudit(transaction, by, {
        action: 'membership.removed',
        target: ['user', userId],
        organizationId,
        details: { role_before: row.role },
      })
      await this.revokeInvitations(transaction, by, organizationId, row.user.email)
      await endSessionsInOrganization(transaction, by, userId, organizationId)
      recordMembershipChange(transaction, member, null)
      return row
    })
    return toMember(row)
  }

  /** An open invitation would let the user in again. */
  private async revokeInvitations(
    transaction: Transaction,
    by: Principal,
    organizationId: string,
    email: string,
  ): Promise<void> {
    const now = this.clock.now()
    const revoked = await transaction.invitation.updateManyAndReturn({
      where: { organizationId, email, acceptedAt: null, revokedAt: null },
      data: { revokedAt: now },
      select: { id: true, expiresAt: true },
    })
    for (const { id, expiresAt } of revoked)
      if (expiresAt > now) {
        const target = ['invitation', id] as const
        recordAudit(transaction, by, { action: 'invitation.revoked', target, organizationId })
      }
  }
}
