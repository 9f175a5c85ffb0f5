import { changeProjectSettings } from '@bearing/contracts/identity/project-settings'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'

@Controller()
export class ChangeProjectSettings {
  constructor(private readonly database: Database) {}

  @Handle(changeProjectSettings)
  async execute(
    input: Input<typeof changeProjectSettings>,
    by: Principal,
  ): Promise<Output<typeof changeProjectSettings>> {
    const {
      project_id: projectId,
      organization_id: organizationId,
      project_key_may_locate: mayLocate,
    } = input
    await this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'project-settings:change')
      await refuseForeignProject(transaction, input)
      const { count } = await transaction.projectKey.updateMany({
        where: { projectId, organizationId, mayLocate: !mayLocate },
        data: { mayLocate },
      })
      if (count === 0) return
      recordAudit(transaction, by, {
        action: 'project_settings.changed',
        target: ['project', projectId],
        organizationId,
        details: { project_key_may_locate: mayLocate, project_key_may_locate_before: !mayLocate },
      })
      recordCredentialChange(transaction, `project:${projectId}`)
    })
    return { project_key_may_locate: mayLocate }
  }
}
