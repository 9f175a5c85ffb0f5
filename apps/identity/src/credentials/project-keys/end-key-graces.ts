import { endKeyGraces } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { deleteEndedUses } from '../../organizations/project-keys/delete-ended-uses.js'
import { shown, toProjectKey } from '../../organizations/project-keys/project-key-row.js'

@Controller()
export class EndKeyGraces {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(endKeyGraces)
  async execute(input: Input<typeof endKeyGraces>, by: Principal): Promise<Output<typeof endKeyGraces>> {
    const project = { projectId: input.project_id, organizationId: input.organization_id }
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'project-key:cycle')
      const row = await transaction.projectKey.findUnique({ where: project, select: shown(now) })
      if (!row) throw projectNotFound()
      const { count } = await transaction.replacedProjectKey.deleteMany({
        where: { projectId: project.projectId },
      })
      if (count === 0) return row
      await deleteEndedUses(transaction, project.projectId)
      for (const { id } of row.replaced)
        recordAudit(transaction, by, {
          action: 'project_key.grace_shortened',
          target: ['project_key', id],
          organizationId: project.organizationId,
          details: { project_id: project.projectId, grace_seconds: 0 },
        })
      recordCredentialChange(transaction, `project:${project.projectId}`)
      return { ...row, replaced: [] }
    })
    return toProjectKey(row, now)
  }
}
