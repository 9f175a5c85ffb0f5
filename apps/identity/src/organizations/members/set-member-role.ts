import { setMemberRole } from '@bearing/contracts/identity/member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { MembershipChanges } from '../../ground/events/membership-changes.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockAdmins, refuseLastAdmin, refuseUnlessAdmin } from './lock-admins.js'
import { SHOWN, memberNotFound, toMember } from './member-row.js'

@Controller()
export class SetMemberRole {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: MembershipChanges,
  ) {}

  /** Giving the role that somebody has already changes nothing. */
  @Handle(setMemberRole)
  async execute(input: Input<typeof setMemberRole>, by: Principal): Promise<Output<typeof setMemberRole>> {
    const { userId } = callingUser(by)
    const { role } = input
    const place = { organizationId: input.organization_id, userId: input.user_id }
    const where = { userId_organizationId: place }
    const { row, change } = await this.database.transaction(async (transaction) => {
      const admins = await lockAdmins(transaction, place.organizationId)
      refuseUnlessAdmin(admins, userId)
      const before = await transaction.membership.findUnique({ where, select: SHOWN })
      if (!before) throw memberNotFound()
      if (before.role === role) return { row: before }
      refuseLastAdmin(admins, place.userId)
      const row = await transaction.membership.update({ where, data: { role }, select: SHOWN })
      await this.audit.record(transaction, by, {
        action: role === 'admin' ? 'membership.promoted' : 'membership.demoted',
        target: ['user', place.userId],
        organizationId: place.organizationId,
        details: { role, role_before: before.role },
      })
      return { row, change: await this.changes.record(transaction, place, role) }
    })
    await this.changes.publish(change)
    return toMember(row)
  }
}
