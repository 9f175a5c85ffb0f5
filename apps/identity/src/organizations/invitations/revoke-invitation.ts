import { revokeInvitation } from '@bearing/contracts/identity/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { lockAdmins, refuseUnlessAdmin } from '../members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { invitationEnded, lockInvitation, toInvitation } from './invitation-row.js'

@Controller()
export class RevokeInvitation {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  @Handle(revokeInvitation)
  async execute(
    input: Input<typeof revokeInvitation>,
    by: Principal,
  ): Promise<Output<typeof revokeInvitation>> {
    const { userId } = callingUser(by)
    const { organization_id: organizationId, invitation_id: id } = input
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId)
      const before = await lockInvitation(transaction, id, organizationId)
      if (before.acceptedAt) throw invitationEnded('accepted')
      if (before.revokedAt) return before
      await this.audit.record(transaction, by, {
        action: 'invitation.revoked',
        target: ['invitation', id],
        organizationId,
      })
      return transaction.invitation.update({ where: { id }, data: { revokedAt: now } })
    })
    return toInvitation(row, now)
  }
}
