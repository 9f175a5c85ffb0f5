import { setMemberRole } from '@bearing/contracts/identity/members/member'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { SHOWN, memberNotFound, refuseMappedRole, toMember } from './member-row.js'
import { refuseLastAdmin, requireAdminGrant, requireAdministrator } from './require-admin.js'

@Controller()
export class SetMemberRole {
  constructor(private readonly database: Database) {}

  /** Changes nothing if the member has the role already. */
  @Handle(setMemberRole)
  async execute(input: Input<typeof setMemberRole>, by: Principal): Promise<Output<typeof setMemberRole>> {
    const { role, organization_id: organizationId, user_id: userId } = input
    const member = { organizationId, userId }
    const where = { userId_organizationId: member }
    const row = await this.database.transaction(async (transaction) => {
      const { admins } = await requireAdministrator(transaction, organizationId, by, 'member:manage')
      const before = await transaction.membership.findUnique({ where, select: SHOWN })
      if (!before) throw memberNotFound()
      if (before.role === role) return before
      refuseMappedRole(before)
      // Of the two roles one is admin.
      requireAdminGrant(by)
      refuseLastAdmin(admins, userId)
      recordAudit(transaction, by, {
        action: role === 'admin' ? 'membership.promoted' : 'membership.demoted',
        target: ['user', userId],
        organizationId,
        details: { role, role_before: before.role },
      })
      recordMembershipChange(transaction, member, role)
      return transaction.membership.update({ where, data: { role }, select: SHOWN })
    })
    return toMember(row)
  }
}
