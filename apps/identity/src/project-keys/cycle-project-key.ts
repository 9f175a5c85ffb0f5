import { cycleProjectKey } from '@bearing/contracts/identity/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database } from '../database.js'
import { CredentialChanges } from '../events/credential-changes.js'
import { Randomness } from '@bearing/service/randomness'
import { newProjectKey, projectNotFound, toProjectKey } from './project-key-row.js'

@Controller()
export class CycleProjectKey {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Of two who cycle the same key at once, one replaces it and both get the new one: otherwise the first one would hold
   * a key that was dead before it arrived.
   */
  @Handle(cycleProjectKey)
  async execute(
    input: Input<typeof cycleProjectKey>,
    by: Principal,
  ): Promise<Output<typeof cycleProjectKey>> {
    const project = { projectId: input.project_id, organizationId: input.organization_id }
    const before = await this.database.projectKey.findUnique({ where: project, select: { id: true } })
    if (!before) throw projectNotFound()
    const after = {
      id: this.randomness.newId(),
      key: newProjectKey(this.randomness.bytes),
      createdAt: this.clock.now(),
    }
    const { row, event } = await this.database.$transaction(async (transaction) => {
      const { count } = await transaction.projectKey.updateMany({
        where: { ...project, id: before.id },
        data: after,
      })
      if (count === 0) return { row: await transaction.projectKey.findUnique({ where: project }) }
      await this.audit.record(transaction, by, {
        action: 'project_key.cycled',
        target: ['project_key', after.id],
        organizationId: project.organizationId,
      })
      return { row: after, event: await this.changes.record(transaction, `credential:${before.id}`) }
    })
    if (!row) throw projectNotFound()
    await this.changes.publish(event)
    return toProjectKey(row)
  }
}
