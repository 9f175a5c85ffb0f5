import { administers } from '@bearing/contracts/identity/tokens/token-presets'
import { changeWorkloadTrust } from '@bearing/contracts/identity/workloads/workload-trust'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { AdministrationMails } from '../credentials/organization-tokens/administration-mails.js'
import { endDerivedTokens } from '../credentials/organization-tokens/end-derived-tokens.js'
import { recordAudit } from '../ground/audit/record-audit.js'
import { Database } from '../ground/database.js'
import { lockTrust } from '../ground/locks.js'
import { requireAdmin } from '../organizations/members/require-admin.js'
import { callingUser } from '../people/users/calling-user.js'
import { toTrust, trustColumns, trustDetails, trustNotFound } from './trust-row.js'

@Controller()
export class ChangeWorkloadTrust {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AdministrationMails,
  ) {}

  /** Ends its tokens: they were given for what it said before. */
  @Handle(changeWorkloadTrust)
  async execute(
    input: Input<typeof changeWorkloadTrust>,
    by: Principal,
  ): Promise<Output<typeof changeWorkloadTrust>> {
    const { organization_id: organizationId, trust_id: id } = input
    const { userId } = callingUser(by)
    const now = this.clock.now()
    return this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'workload-trust:manage')
      if (!(await lockTrust(transaction, id, organizationId))) throw trustNotFound()
      const data = await trustColumns(transaction, input, now)
      const row = await transaction.workloadTrust.update({ where: { id }, data })
      await endDerivedTokens(transaction, id, now, true)
      const target = ['workload_trust', id] as const
      recordAudit(transaction, by, {
        ...{ action: 'workload_trust.changed', target, organizationId },
        details: trustDetails(row),
      })
      if (administers(row.permissions)) await this.mails.add(transaction, organizationId, id)
      return toTrust(row, null)
    })
  }
}
