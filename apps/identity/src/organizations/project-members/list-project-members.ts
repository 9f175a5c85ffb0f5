import { listProjectMembers } from '@bearing/contracts/identity/members/project-member'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toProjectMember } from './project-member-row.js'
import { refuseForeignProject } from './project-scope.js'

@Controller()
export class ListProjectMembers {
  constructor(private readonly database: Database) {}

  @Handle(listProjectMembers)
  async execute(input: Input<typeof listProjectMembers>): Promise<Output<typeof listProjectMembers>> {
    await refuseForeignProject(this.database, input)
    const where = { organizationId: input.organization_id, projectId: input.project_id }
    const [count, rows] = await Promise.all([
      this.database.projectMember.count({ where }),
      this.database.projectMember.findMany({
        where,
        select: SHOWN,
        orderBy: { membership: { user: { email: 'asc' } } },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toProjectMember), count, input)
  }
}
