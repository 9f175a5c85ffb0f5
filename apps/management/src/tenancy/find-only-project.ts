import { findOnlyProject } from '@bearing/contracts/management/tenancy/scope'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'

@Controller()
export class FindOnlyProject {
  constructor(private readonly database: Database) {}

  @Handle(findOnlyProject)
  async execute({
    organization_id: organizationId,
  }: Input<typeof findOnlyProject>): Promise<Output<typeof findOnlyProject>> {
    const projects = await this.database.project.findMany({
      where: { organizationId, deletedAt: null },
      select: { id: true },
      take: 2,
    })
    return { project_id: projects.length === 1 ? (projects[0]?.id ?? null) : null }
  }
}
