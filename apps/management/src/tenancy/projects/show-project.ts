import { showProject } from '@bearing/contracts/management/tenancy/project'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toProject } from './project-row.js'
import { projectNotFound } from './require-project.js'

@Controller()
export class ShowProject {
  constructor(private readonly database: Database) {}

  @Handle(showProject)
  async execute(input: Input<typeof showProject>): Promise<Output<typeof showProject>> {
    const row = await this.database.project.findUnique({
      where: { id: input.project_id, organizationId: input.organization_id, deletedAt: null },
      select: SHOWN,
    })
    if (!row) throw projectNotFound()
    return toProject(row)
  }
}
