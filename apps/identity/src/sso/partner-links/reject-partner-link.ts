import { refusePartnerLink } from '@bearing/contracts/identity/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { noLink, pendingLink } from './pending-link.js'

@Controller()
export class RefusePartnerLink {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  @Handle(refusePartnerLink)
  async execute(
    { organization_id: organizationId, partner_link_id: id }: Input<typeof refusePartnerLink>,
    by: Principal,
  ): Promise<Output<typeof refusePartnerLink>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId, 'partner-link:manage')
      const where = pendingLink(id, organizationId)
      // A request has one requester and one name for as long as it has its id.
      const asked = await transaction.partnerTeam.findFirst({ where, select: { requestedBy: true } })
      const [refused] = await transaction.partnerTeam.updateManyAndReturn({
        where,
        data: { requestedOrganizationId: null, requestedBy: null, requestedAt: null, requestId: null },
        select: { id: true, name: true },
      })
      if (!asked || !refused) throw noLink()
      await this.audit.record(transaction, by, {
        action: 'partner_link.refused',
        target: ['partner_team', refused.id],
        organizationId,
        details: { team: refused.name, requested_by: asked.requestedBy },
      })
    })
    return {}
  }
}
