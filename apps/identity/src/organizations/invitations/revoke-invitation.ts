import { revokeInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdministrator } from '../members/require-admin.js'
import { invitationEnded, lockedInvitation, toInvitation } from './invitation-row.js'

@Controller()
export class RevokeInvitation {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(revokeInvitation)
  async execute(
    input: Input<typeof revokeInvitation>,
    by: Principal,
  ): Promise<Output<typeof revokeInvitation>> {
    const { organization_id: organizationId, invitation_id: id } = input
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      await requireAdministrator(transaction, organizationId, by, 'invitation:revoke')
      const before = await lockedInvitation(transaction, id, organizationId)
      if (before.acceptedAt) throw invitationEnded('accepted')
      if (before.revokedAt) return before
      const target = ['invitation', id] as const
      recordAudit(transaction, by, { action: 'invitation.revoked', target, organizationId })
      return transaction.invitation.update({ where: { id }, data: { revokedAt: now } })
    })
    return toInvitation(row, now)
  }
}
