import { visibleProjects } from '@bearing/access/authorize'
import { listProjects } from '@bearing/contracts/management/project'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toProject } from './project-row.js'

@Controller()
export class ListProjects {
  constructor(private readonly database: Database) {}

  @Handle(listProjects)
  async execute(input: Input<typeof listProjects>, by: Principal): Promise<Output<typeof listProjects>> {
    const visible = visibleProjects(by, input.organization_id)
    const where = {
      organizationId: input.organization_id,
      deletedAt: null,
      ...(visible !== 'all' && { id: { in: [...visible] } }),
    }
    const [count, rows] = await Promise.all([
      this.database.project.count({ where }),
      this.database.project.findMany({
        where,
        select: SHOWN,
        orderBy: { slug: 'asc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toProject), count, input)
  }
}
