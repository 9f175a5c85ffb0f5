import { refusePartnerLink } from '@bearing/contracts/identity/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../audit/audit-log.js'
import { Database } from '../database.js'
import { lockAdmins, refuseUnlessAdmin } from '../members/lock-admins.js'
import { callingUser } from '../users/calling-user.js'
import { noLink } from './no-link.js'

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
    await this.database.$transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId, 'partner-link:manage')
      const { count } = await transaction.partnerTeam.updateMany({
        where: { id, requestedOrganizationId: organizationId, organizationId: null },
        data: { requestedOrganizationId: null, requestedBy: null, requestedAt: null },
      })
      if (count === 0) throw noLink()
      await this.audit.record(transaction, by, {
        action: 'partner_link.refused',
        target: ['partner_team', id],
        organizationId,
      })
    })
    return {}
  }
}
