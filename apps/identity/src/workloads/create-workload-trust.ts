import { administers } from '@bearing/contracts/identity/tokens/token-presets'
import { createWorkloadTrust, MAX_TRUSTS } from '@bearing/contracts/identity/workloads/workload-trust'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { AdministrationMails } from '../credentials/organization-tokens/administration-mails.js'
import { recordAudit } from '../ground/audit/record-audit.js'
import { Database } from '../ground/database.js'
import { requireAdmin } from '../organizations/members/require-admin.js'
import { callingUser } from '../people/users/calling-user.js'
import { toTrust, trustColumns, trustDetails } from './trust-row.js'

const QUOTA = {
  ...{ resource: 'workload_trusts', limit: MAX_TRUSTS, raised_by: 'nobody' as const },
  has: 'The organization has too many trusts',
  remedy: 'Delete one that nothing uses',
}

@Controller()
export class CreateWorkloadTrust {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly mails: AdministrationMails,
  ) {}

  /** For users alone: a trust gives tokens for as long as it exists, so it would outlive a token that made it. */
  @Handle(createWorkloadTrust)
  async execute(
    input: Input<typeof createWorkloadTrust>,
    by: Principal,
  ): Promise<Output<typeof createWorkloadTrust>> {
    const { organization_id: organizationId } = input
    const { userId } = callingUser(by)
    const now = this.clock.now()
    const id = this.randomness.newId()
    return this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'workload-trust:manage')
      refuseBeyond(QUOTA, await transaction.workloadTrust.count({ where: { organizationId } }))
      const columns = await trustColumns(transaction, input, now)
      const row = await transaction.workloadTrust.create({
        data: { id, organizationId, ...columns, createdAt: now, createdBy: userId },
      })
      const target = ['workload_trust', id] as const
      recordAudit(transaction, by, {
        ...{ action: 'workload_trust.created', target, organizationId },
        details: trustDetails(row),
      })
      if (administers(row.permissions)) await this.mails.add(transaction, organizationId, id)
      return toTrust(row, null)
    })
  }
}
