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
        device_identity: input.device_identity ?? before.device_identity,
        device_tokens_without_expiry:
          input.device_tokens_without_expiry ?? before.device_tokens_without_expiry,
        device_claims: input.device_claims ?? before.device_claims,
      }
      const names = Object.keys(after) as (keyof typeof after)[] // its own keys
      if (names.every((name) => after[name] === before[name])) return after
      await transaction.projectKey.update({
        where,
        data: {
          mayLocate: after.project_key_may_locate,
          mayContribute: after.project_key_may_contribute,
          deviceIdentity: after.device_identity,
          tokensWithoutExpiry: after.device_tokens_without_expiry,
          deviceClaims: after.device_claims,
        },
      })
      recordAudit(transaction, by, {
        action: 'project_settings.changed',
        target: ['project', projectId],
        organizationId,
        details: {
          ...after,
          ...Object.fromEntries(names.map((name) => [`${name}_before`, before[name]])),
        },
      })
      recordCredentialChange(transaction, `project:${projectId}`)
      return after
    })
  }
}
