import { changeOrganizationTokenPolicy } from '@bearing/contracts/identity/organization-token-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { toPolicy, type Policy } from './policy-row.js'

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
    return this.database.transaction(async (transaction) => {
      const admins = await lockAdmins(transaction, organizationId)
      refuseUnlessAdmin(admins, callingUser(by).userId, 'organization-token-policy:change')
      const before = await takeLocked(transaction, organizationId)
      const row = await transaction.organizationRule.update({
        where: { organizationId },
        data: {
          maxTokenLifetimeDays: input.max_lifetime_days,
          ...(input.when_leaked && { keepsLeakedTokens: input.when_leaked === 'flag' }),
        },
      })
      const policy = toPolicy(row)
      await this.audit.record(transaction, by, {
        action: 'organization_token_policy.changed',
        target: ['organization', organizationId],
        organizationId,
        details: {
          ...policy,
          max_lifetime_days_before: before.max_lifetime_days,
          when_leaked_before: before.when_leaked,
        },
      })
      return policy
    })
  }
}

/** The policy so far; whoever else changes it waits until this change is done. */
async function takeLocked(transaction: Transaction, organizationId: string): Promise<Policy> {
  await transaction.organizationRule.createMany({ data: { organizationId }, skipDuplicates: true })
  await transaction.$queryRaw`
    SELECT 1 FROM organization_rules WHERE organization_id = ${organizationId}::uuid FOR NO KEY UPDATE`
  return toPolicy(await transaction.organizationRule.findUnique({ where: { organizationId } }))
}
