import { OperationError } from '@bearing/contracts/errors'
import { deleteOnboardingToken } from '@bearing/contracts/identity/devices/onboarding-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'

@Controller()
export class DeleteOnboardingToken {
  constructor(private readonly database: Database) {}

  @Handle(deleteOnboardingToken)
  async execute(
    input: Input<typeof deleteOnboardingToken>,
    by: Principal,
  ): Promise<Output<typeof deleteOnboardingToken>> {
    const { organization_id: organizationId, project_id: projectId, onboarding_token_id: id } = input
    await this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      const where = { id, organizationId, projectId }
      const { count } = await transaction.onboardingToken.deleteMany({ where })
      if (count === 0)
        throw new OperationError('onboarding_token_not_found', 'The project has no such onboarding token.')
      recordAudit(transaction, by, {
        ...{ action: 'onboarding_token.deleted', target: ['onboarding_token', id], organizationId },
        details: { project_id: projectId },
      })
    })
    return {}
  }
}
