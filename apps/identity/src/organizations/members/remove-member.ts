import { removeMember } from '@bearing/contracts/identity/member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { MembershipChanges } from '../../ground/events/membership-changes.js'
import { EndSessions } from '../../people/sessions/end-sessions.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockUser } from '../../people/users/lock-user.js'
import { lockAdmins, refuseLastAdmin, refuseUnlessAdmin } from './lock-admins.js'
import { SHOWN, memberNotFound, toMember } from './member-row.js'

@Controller()
export class RemoveMember {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: MembershipChanges,
    private readonly credentials: CredentialChanges,
    private readonly sessions: EndSessions,
    private readonly clock: Clock,
  ) {}

  /** Roles in projects go with the membership (by foreign key). */
  @Handle(removeMember)
  async execute(input: Input<typeof removeMember>, by: Principal): Promise<Output<typeof removeMember>> {
    const { userId } = callingUser(by)
    const place = { organizationId: input.organization_id, userId: input.user_id }
    const where = { userId_organizationId: place }
    const { row, sessions, change } = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, place.userId)
      const admins = await lockAdmins(transaction, place.organizationId)
      if (place.userId !== userId) refuseUnlessAdmin(admins, userId)
      const row = await transaction.membership.findUnique({ where, select: SHOWN })
      if (!row) throw memberNotFound()
      refuseLastAdmin(admins, place.userId)
      // Where operators have made an organization without an admin there was nothing to wait at.
      const { count } = await transaction.membership.deleteMany({ where: place })
      if (count === 0) throw memberNotFound()
      await transaction.formerMember.createMany({ data: [place], skipDuplicates: true })
      await this.audit.record(transaction, by, {
        action: 'membership.removed',
        target: ['user', place.userId],
        organizationId: place.organizationId,
        details: { role_before: row.role },
      })
      await this.revokeInvitations(transaction, by, place.organizationId, row.user.email)
      const { change: sessions } = await this.sessions.reaching(
        transaction,
        by,
        place.userId,
        place.organizationId,
      )
      return { row, sessions, change: await this.changes.record(transaction, place, null) }
    })
    await this.credentials.publish(sessions)
    await this.changes.publish(change)
    return toMember(row)
  }

  /** Else the link of one that is still open would let them in again. */
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
    // One that has expired had ended by itself.
    for (const { id, expiresAt } of revoked)
      if (expiresAt > now)
        await this.audit.record(transaction, by, {
          action: 'invitation.revoked',
          target: ['invitation', id],
          organizationId,
        })
  }
}
