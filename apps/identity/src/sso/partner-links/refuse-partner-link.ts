import { refusePartnerLink } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { callingUser } from '../../people/users/calling-user.js'
import { noLink, pendingLink } from './pending-link.js'

@Controller()
export class RefusePartnerLink {
  constructor(private readonly database: Database) {}

  @Handle(refusePartnerLink)
  async execute(
    { organization_id: organizationId, partner_link_id: id }: Input<typeof refusePartnerLink>,
    by: Principal,
  ): Promise<Output<typeof refusePartnerLink>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'partner-link:manage')
      const where = pendingLink(id, organizationId)
      // The requester of a request never changes.
      const requested = await transaction.partnerTeam.findFirst({ where, select: { requestedBy: true } })
      const [rejected] = await transaction.partnerTeam.updateManyAndReturn({
        where,
        data: { requestedOrganizationId: null, requestedBy: null, requestedAt: null, requestId: null },
        select: { id: true, name: true },
      })
      if (!requested || !rejected) throw noLink()
      recordAudit(transaction, by, {
        action: 'partner_link.refused',
        target: ['partner_team', rejected.id],
        organizationId,
        details: { team: rejected.name, requested_by: requested.requestedBy },
      })
    })
    return {}
  }
}
