import { changeProjectSettings } from '@bearing/contracts/identity/project-settings'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges, type CredentialChange } from '../../ground/events/credential-changes.js'
import { refuseUnlessManager } from '../../organizations/project-members/refuse-unless-manager.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'

@Controller()
export class ChangeProjectSettings {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
  ) {}

  @Handle(changeProjectSettings)
  async execute(
    input: Input<typeof changeProjectSettings>,
    by: Principal,
  ): Promise<Output<typeof changeProjectSettings>> {
    const project = { projectId: input.project_id, organizationId: input.organization_id }
    const mayLocate = input.project_key_may_locate
    const { row, event } = await this.database.transaction(async (transaction) => {
      await refuseUnlessManager(transaction, by, input, 'project-settings:change')
      const event = await this.change(transaction, project, mayLocate, by)
      return { event, row: await transaction.projectKey.findUnique({ where: project, select: { id: true } }) }
    })
    if (!row) throw projectNotFound()
    await this.changes.publish(event)
    return { project_key_may_locate: mayLocate }
  }

  /** @returns undefined where that is what was set already */
  private async change(
    transaction: Transaction,
    project: { readonly projectId: string; readonly organizationId: string },
    mayLocate: boolean,
    by: Principal,
  ): Promise<CredentialChange | undefined> {
    const { count } = await transaction.projectKey.updateMany({
      where: { ...project, mayLocate: !mayLocate },
      data: { mayLocate },
    })
    if (count === 0) return undefined
    await this.audit.record(transaction, by, {
      action: 'project_settings.changed',
      target: ['project', project.projectId],
      organizationId: project.organizationId,
      details: { project_key_may_locate: mayLocate, project_key_may_locate_before: !mayLocate },
    })
    return this.changes.record(transaction, `project:${project.projectId}`)
  }
}
