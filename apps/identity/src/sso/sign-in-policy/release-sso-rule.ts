import { OperationError } from '@bearing/contracts/errors'
import { releaseSsoRule } from '@bearing/contracts/identity/sign-in-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'

@Controller()
export class ReleaseSsoRule {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
  ) {}

  @Handle(releaseSsoRule)
  async execute(
    { organization_id: organizationId }: Input<typeof releaseSsoRule>,
    by: Principal,
  ): Promise<Output<typeof releaseSsoRule>> {
    const { rule, change } = await this.database.transaction(async (transaction) => {
      const [rule] = await transaction.organizationRule.updateManyAndReturn({
        where: { organizationId },
        data: { ssoRequired: false },
      })
      if (!rule)
        throw new OperationError(
          'organization_not_found',
          'No organization of this id demands anything. Members find its id with "bearing whoami".',
        )
      await this.audit.record(transaction, by, {
        action: 'sign_in_policy.released',
        target: ['organization', organizationId],
        organizationId,
      })
      return { rule, change: await this.changes.record(transaction, `organization:${organizationId}`) }
    })
    await this.changes.publish(change)
    return { sso_required: rule.ssoRequired, second_factor_required: rule.secondFactorRequired }
  }
}
