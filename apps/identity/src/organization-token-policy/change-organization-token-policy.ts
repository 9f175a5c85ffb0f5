import { changeOrganizationTokenPolicy } from '@bearing/contracts/identity/organization-token-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../audit/audit-log.js'
import { Database } from '../database.js'

@Controller()
export class ChangeOrganizationTokenPolicy {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Nobody has to forget anything: tokens that there are stay as they are. */
  @Handle(changeOrganizationTokenPolicy)
  async execute(
    input: Input<typeof changeOrganizationTokenPolicy>,
    by: Principal,
  ): Promise<Output<typeof changeOrganizationTokenPolicy>> {
    const organizationId = input.organization_id
    const maxTokenLifetimeDays = input.max_lifetime_days
    await this.database.$transaction(async (transaction) => {
      await transaction.organizationRule.upsert({
        where: { organizationId },
        create: { organizationId, maxTokenLifetimeDays },
        update: { maxTokenLifetimeDays },
      })
      await this.audit.record(transaction, by, {
        action: 'organization_token_policy.changed',
        target: ['organization', organizationId],
        organizationId,
      })
    })
    return { max_lifetime_days: maxTokenLifetimeDays }
  }
}
