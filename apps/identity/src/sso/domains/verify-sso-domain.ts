import { OperationError } from '@bearing/contracts/errors'
import { verifySsoDomain } from '@bearing/contracts/identity/sso/sso-domain'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { OutboundRequestLimit, sharesOf } from '../connections/outbound-request-limit.js'
import { callingUser } from '../../people/users/calling-user.js'
import { noDomain, toDomain, txtRecord } from './domain-row.js'
import { TxtRecords } from './txt-records.js'

@Controller()
export class VerifySsoDomain {
  constructor(
    private readonly database: Database,
    private readonly records: TxtRecords,
    private readonly limit: OutboundRequestLimit,
    private readonly clock: Clock,
  ) {}

  @Handle(verifySsoDomain)
  async execute(
    { organization_id: organizationId, domain }: Input<typeof verifySsoDomain>,
    by: Principal,
  ): Promise<Output<typeof verifySsoDomain>> {
    const { userId } = callingUser(by)
    const where = { organizationId_domain: { organizationId, domain } }
    const named = await this.database.ssoDomain.findUnique({ where })
    if (!named) throw noDomain()
    const shares = sharesOf(organizationId, userId)
    await this.limit.run(shares, () => this.refuseUnproven(domain, txtRecord(named)))
    const row = await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sso-domain:manage')
      // By token: a domain that was deleted and added again meanwhile has another one.
      const { count } = await transaction.ssoDomain.updateMany({
        where: { organizationId, domain, token: named.token },
        data: { verifiedAt: this.clock.now() },
      })
      if (count === 0) throw noDomain()
      recordAudit(transaction, by, {
        action: 'sso_domain.verified',
        target: ['domain', domain],
        organizationId,
      })
      return transaction.ssoDomain.findUniqueOrThrow({ where })
    })
    return toDomain(row)
  }

  private async refuseUnproven(domain: string, record: string): Promise<void> {
    const texts = await this.records.read(domain).catch((cause: unknown) => {
      throw new OperationError(
        'service_unavailable',
        'The name servers of the domain do not respond. Try again shortly.',
        { retry_after: 5 },
        { cause },
      )
    })
    if (!texts.includes(record))
      throw new OperationError(
        'sso_domain_unverified',
        `The domain has no TXT record with this text: ${record}. New records may take a while to become visible.`,
      )
  }
}
