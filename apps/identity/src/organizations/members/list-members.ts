import { visibleProjects } from '@bearing/access/authorize'
import { listMembers } from '@bearing/contracts/identity/member'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toMember } from './member-row.js'

@Controller()
export class ListMembers {
  constructor(private readonly database: Database) {}

  @Handle(listMembers)
  async execute(input: Input<typeof listMembers>, by: Principal): Promise<Output<typeof listMembers>> {
    const where = { organizationId: input.organization_id }
    const visible = visibleProjects(by, input.organization_id)
    const inVisible = visible === 'all' ? {} : { where: { projectId: { in: [...visible] } } }
    const [count, rows] = await Promise.all([
      this.database.membership.count({ where }),
      this.database.membership.findMany({
        where,
        select: { ...SHOWN, projects: { ...SHOWN.projects, ...inVisible } },
        orderBy: { user: { email: 'asc' } },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toMember), count, input)
  }
}
