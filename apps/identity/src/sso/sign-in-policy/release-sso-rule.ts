import { OperationError } from '@bearing/contracts/errors'
import { releaseSsoRule } from '@bearing/contracts/identity/sso/sign-in-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { toSignInPolicy } from './to-sign-in-policy.js'

@Controller()
export class ReleaseSsoRule {
  constructor(private readonly database: Database) {}

  @Handle(releaseSsoRule)
  async execute(
    { organization_id: organizationId }: Input<typeof releaseSsoRule>,
    by: Principal,
  ): Promise<Output<typeof releaseSsoRule>> {
    const rule = await this.database.transaction(async (transaction) => {
      const [rule] = await transaction.organizationRule.updateManyAndReturn({
        where: { organizationId },
        data: { ssoRequired: false },
      })
      if (!rule)
        throw new OperationError(
          'organization_not_found',
          'No organization with this id has rules. Members find its id with "bearing whoami".',
        )
      const target = ['organization', organizationId] as const
      recordAudit(transaction, by, { action: 'sign_in_policy.released', target, organizationId })
      recordCredentialChange(transaction, `organization:${organizationId}`)
      return rule
    })
    return toSignInPolicy(rule)
  }
}
