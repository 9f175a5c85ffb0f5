import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database } from '../../ground/database.js'
import { Randomness } from '@bearing/service/ground/randomness'
import { requireAdministrator } from '../../organizations/members/require-admin.js'
import { newProjectKey, shown, toProjectKey } from '../../organizations/project-keys/project-key-row.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'

@Controller()
export class CreateProjectKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createProjectKey)
  async execute(
    input: Input<typeof createProjectKey>,
    by: Principal,
  ): Promise<Output<typeof createProjectKey>> {
    const project = { projectId: input.project_id, organizationId: input.organization_id }
    const id = this.randomness.newId()
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      await requireAdministrator(transaction, project.organizationId, by, 'project:create')
      const { count } = await transaction.projectKey.createMany({
        data: { id, ...project, key: newProjectKey(this.randomness.bytes), createdAt: now },
        skipDuplicates: true,
      })
      if (count > 0)
        recordAudit(transaction, by, {
          action: 'project_key.created',
          target: ['project_key', id],
          organizationId: project.organizationId,
          details: { project_id: project.projectId },
        })
      // An existing key of the project, or none for a project of another organization.
      return transaction.projectKey.findUnique({ where: project, select: shown(now) })
    })
    if (!row) throw projectNotFound()
    return toProjectKey(row, now)
  }
}
