import { addSsoDomain } from '@bearing/contracts/identity/sso/sso-domain'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_SSO_DOMAINS, refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
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
    private readonly randomness: Randomness,
  ) {}

  /** Each organization has its own token, so a record proves nothing for another organization. */
  @Handle(addSsoDomain)
  async execute(
    { organization_id: organizationId, domain }: Input<typeof addSsoDomain>,
    by: Principal,
  ): Promise<Output<typeof addSsoDomain>> {
    const { userId } = callingUser(by)
    const row = await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sso-domain:manage')
      const where = { organizationId_domain: { organizationId, domain } }
      const before = await transaction.ssoDomain.findUnique({ where })
      if (before) return before
      refuseBeyond(QUOTA, await transaction.ssoDomain.count({ where: { organizationId } }))
      const token = Buffer.from(this.randomness.bytes(20)).toString('base64url')
      const row = await transaction.ssoDomain.create({ data: { organizationId, domain, token } })
      recordAudit(transaction, by, {
        action: 'sso_domain.added',
        target: ['domain', domain],
        organizationId,
      })
      return row
    })
    return toDomain(row)
  }
}
