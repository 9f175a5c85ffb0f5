import { addSsoDomain } from '@bearing/contracts/identity/sso-domain'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_SSO_DOMAINS, refuseBeyond } from '@bearing/contracts/quota'
import { Handle } from '@bearing/nats/handle'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { toDomain } from './domain-row.js'

const QUOTA = {
  ...{ resource: 'sso_domains', limit: MAX_SSO_DOMAINS, raised_by: 'nobody' as const },
  has: 'The organization has too many email domains',
  remedy: 'Delete one first',
}

@Controller()
export class AddSsoDomain {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly randomness: Randomness,
  ) {}

  /** Each organization has a token of its own: one record proves nothing for another organization. */
  @Handle(addSsoDomain)
  async execute(
    { organization_id: organizationId, domain }: Input<typeof addSsoDomain>,
    by: Principal,
  ): Promise<Output<typeof addSsoDomain>> {
    const { userId } = callingUser(by)
    const row = await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId, 'sso-domain:manage')
      const where = { organizationId_domain: { organizationId, domain } }
      const before = await transaction.ssoDomain.findUnique({ where })
      if (before) return before
      refuseBeyond(QUOTA, await transaction.ssoDomain.count({ where: { organizationId } }))
      const token = Buffer.from(this.randomness.bytes(20)).toString('base64url')
      const row = await transaction.ssoDomain.create({ data: { organizationId, domain, token } })
      await this.audit.record(transaction, by, {
        action: 'sso_domain.added',
        target: ['domain', domain],
        organizationId,
      })
      return row
    })
    return toDomain(row)
  }
}
