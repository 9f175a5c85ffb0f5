import { changeOrganizationTokenPolicy } from '@bearing/contracts/identity/tokens/organization-token-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockRules } from '../../ground/locks.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { callingUser } from '../../people/users/calling-user.js'
import { toPolicy } from './policy-row.js'

@Controller()
export class ChangeOrganizationTokenPolicy {
  constructor(private readonly database: Database) {}

  /** Existing tokens stay as they are, except that forbidding administration takes it from all of them. */
  @Handle(changeOrganizationTokenPolicy)
  async execute(
    input: Input<typeof changeOrganizationTokenPolicy>,
    by: Principal,
  ): Promise<Output<typeof changeOrganizationTokenPolicy>> {
    const organizationId = input.organization_id
    return this.database.transaction(async (transaction) => {
      await requireAdmin(
        transaction,
        organizationId,
        callingUser(by).userId,
        'organization-token-policy:change',
      )
      await lockRules(transaction, organizationId)
      const where = { organizationId }
      const before = toPolicy(await transaction.organizationRule.findUnique({ where }))
      const row = await transaction.organizationRule.update({
        where,
        data: {
          maxTokenLifetimeDays: input.max_lifetime_days,
          ...(input.when_leaked && { keepsLeakedTokens: input.when_leaked === 'flag' }),
          ...(input.administration && { administrationForbidden: input.administration === 'forbid' }),
          ...(input.administration_max_lifetime_days && {
            administrationMaxDays: input.administration_max_lifetime_days,
          }),
        },
      })
      const policy = toPolicy(row)
      recordAudit(transaction, by, {
        action: 'organization_token_policy.changed',
        target: ['organization', organizationId],
        organizationId,
        details: {
          ...policy,
          max_lifetime_days_before: before.max_lifetime_days,
          when_leaked_before: before.when_leaked,
          administration_before: before.administration,
          administration_max_lifetime_days_before: before.administration_max_lifetime_days,
        },
      })
      if (policy.administration !== before.administration)
        recordCredentialChange(transaction, `organization:${organizationId}`)
      return policy
    })
  }
}
