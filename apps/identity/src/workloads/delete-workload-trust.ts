import { deleteWorkloadTrust } from '@bearing/contracts/identity/workloads/workload-trust'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { endDerivedTokens } from '../credentials/organization-tokens/end-derived-tokens.js'
import { recordAudit } from '../ground/audit/record-audit.js'
import { Database } from '../ground/database.js'
import { lockTrust } from '../ground/locks.js'
import { requireAdmin } from '../organizations/members/require-admin.js'
import { callingUser } from '../people/users/calling-user.js'
import { trustNotFound } from './trust-row.js'

@Controller()
export class DeleteWorkloadTrust {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(deleteWorkloadTrust)
  async execute(
    { organization_id: organizationId, trust_id: id }: Input<typeof deleteWorkloadTrust>,
    by: Principal,
  ): Promise<Output<typeof deleteWorkloadTrust>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'workload-trust:manage')
      if (!(await lockTrust(transaction, id, organizationId))) throw trustNotFound()
      await endDerivedTokens(transaction, id, this.clock.now(), true)
      const { name } = await transaction.workloadTrust.delete({ where: { id } })
      const target = ['workload_trust', id] as const
      recordAudit(transaction, by, {
        ...{ action: 'workload_trust.deleted', target, organizationId },
        details: { name },
      })
    })
    return {}
  }
}
