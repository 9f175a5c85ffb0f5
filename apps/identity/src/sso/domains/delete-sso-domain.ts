import { deleteSsoDomain } from '@bearing/contracts/identity/sso/sso-domain'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { callingUser } from '../../people/users/calling-user.js'
import { noDomain } from './domain-row.js'

@Controller()
export class DeleteSsoDomain {
  constructor(private readonly database: Database) {}

  @Handle(deleteSsoDomain)
  async execute(
    { organization_id: organizationId, domain }: Input<typeof deleteSsoDomain>,
    by: Principal,
  ): Promise<Output<typeof deleteSsoDomain>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sso-domain:manage')
      const { count } = await transaction.ssoDomain.deleteMany({ where: { organizationId, domain } })
      if (count === 0) throw noDomain()
      recordAudit(transaction, by, {
        action: 'sso_domain.deleted',
        target: ['domain', domain],
        organizationId,
      })
    })
    return {}
  }
}
