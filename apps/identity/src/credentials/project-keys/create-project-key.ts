import { createProjectKey } from '@bearing/contracts/identity/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database } from '../../ground/database.js'
import { Randomness } from '@bearing/service/randomness'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { newProjectKey, shown, toProjectKey } from './project-key-row.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'

@Controller()
export class CreateProjectKey {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
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
      const admins = await lockAdmins(transaction, project.organizationId)
      refuseUnlessAdmin(admins, callingUser(by).userId, 'project:create')
      const { count } = await transaction.projectKey.createMany({
        data: { id, ...project, key: newProjectKey(this.randomness.bytes), createdAt: now },
        skipDuplicates: true,
      })
      if (count > 0)
        await this.audit.record(transaction, by, {
          action: 'project_key.created',
          target: ['project_key', id],
          organizationId: project.organizationId,
          details: { project_id: project.projectId },
        })
      // Where the project had a key, this is it; where it is another organization's, there is none.
      return transaction.projectKey.findUnique({ where: project, select: shown(now) })
    })
    if (!row) throw projectNotFound()
    return toProjectKey(row)
  }
}
