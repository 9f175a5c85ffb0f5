import { changeProjectSettings } from '@bearing/contracts/identity/credentials/project-settings'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { PROJECT_SETTINGS, viewProjectSettings } from './settings-view.js'

@Controller()
export class ChangeProjectSettings {
  constructor(private readonly database: Database) {}

  @Handle(changeProjectSettings)
  async execute(
    input: Input<typeof changeProjectSettings>,
    by: Principal,
  ): Promise<Output<typeof changeProjectSettings>> {
    const { project_id: projectId, organization_id: organizationId } = input
    return this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'project-settings:change')
      await refuseForeignProject(transaction, input)
      const where = { projectId, organizationId }
      const before = viewProjectSettings(
        await transaction.projectKey.findUniqueOrThrow({ where, select: PROJECT_SETTINGS }),
      )
      const after = {
        project_key_may_locate: input.project_key_may_locate,
        project_key_may_contribute: input.project_key_may_contribute ?? before.project_key_may_contribute,
      }
      if (
        after.project_key_may_locate === before.project_key_may_locate &&
        after.project_key_may_contribute === before.project_key_may_contribute
      )
        return after
      await transaction.projectKey.update({
        where,
        data: { mayLocate: after.project_key_may_locate, mayContribute: after.project_key_may_contribute },
      })
      recordAudit(transaction, by, {
        action: 'project_settings.changed',
        target: ['project', projectId],
        organizationId,
        details: {
          ...after,
          project_key_may_locate_before: before.project_key_may_locate,
          project_key_may_contribute_before: before.project_key_may_contribute,
        },
      })
      recordCredentialChange(transaction, `project:${projectId}`)
      return after
    })
  }
}
