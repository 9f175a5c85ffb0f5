import { cancelKeyImport } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { requireAdministrator } from '../../organizations/members/require-admin.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'

@Controller()
export class CancelKeyImport {
  constructor(private readonly database: Database) {}

  @Handle(cancelKeyImport)
  async execute(
    input: Input<typeof cancelKeyImport>,
    by: Principal,
  ): Promise<Output<typeof cancelKeyImport>> {
    const { organization_id: organizationId, project_id: projectId } = input
    await this.database.transaction(async (transaction) => {
      await requireAdministrator(transaction, organizationId, by, 'project-key:cycle')
      await refuseForeignProject(transaction, input)
      const { count } = await transaction.projectKeyImport.deleteMany({
        where: { projectId, organizationId },
      })
      if (count > 0)
        recordAudit(transaction, by, {
          action: 'project_key.import_canceled',
          target: ['project', projectId],
          organizationId,
          details: { project_id: projectId },
        })
    })
    return {}
  }
}
