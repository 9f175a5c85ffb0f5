import { projectChanged, renameProject } from '@bearing/contracts/management/tenancy/project'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { recordEvent } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { lockOrganizations } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { changeNames } from '../slugs/change-names.js'
import { SHOWN, toProject } from './project-row.js'
import { projectNotFound } from './require-project.js'

@Controller()
export class RenameProject {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(renameProject)
  execute(input: Input<typeof renameProject>, by: Principal): Promise<Output<typeof renameProject>> {
    return this.database.transaction((transaction) => this.rename(transaction, input, by))
  }

  private async rename(
    transaction: Transaction,
    { organization_id, project_id: id, ...wanted }: Input<typeof renameProject>,
    by: Principal,
  ): Promise<Output<typeof renameProject>> {
    await lockOrganizations(transaction, [organization_id])
    const where = { id, organizationId: organization_id, deletedAt: null }
    const before = await transaction.project.findUnique({ where, select: SHOWN })
    if (!before) throw projectNotFound()
    const owner = { organizationId: organization_id, projectId: id }
    const write = (data: { name: string; slug: string }) =>
      transaction.project.update({ where: { id }, data })
    const renamed = await changeNames(transaction, owner, before, wanted, this.clock.now(), write)
    if (!renamed) return toProject(before)
    const { details, ...names } = renamed
    recordAudit(transaction, by, {
      action: 'project.changed',
      target: ['project', id],
      organizationId: organization_id,
      details,
    })
    recordEvent(transaction, projectChanged, { organization_id, project_id: id, ...names })
    return toProject({ ...before, ...names })
  }
}
