import { deleteSsoDomain } from '@bearing/contracts/identity/sso-domain'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { noDomain } from './domain-row.js'

@Controller()
export class DeleteSsoDomain {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  @Handle(deleteSsoDomain)
  async execute(
    { organization_id: organizationId, domain }: Input<typeof deleteSsoDomain>,
    by: Principal,
  ): Promise<Output<typeof deleteSsoDomain>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId, 'sso-domain:manage')
      const { count } = await transaction.ssoDomain.deleteMany({ where: { organizationId, domain } })
      if (count === 0) throw noDomain()
      await this.audit.record(transaction, by, {
        action: 'sso_domain.deleted',
        target: ['domain', domain],
        organizationId,
      })
    })
    return {}
  }
}
