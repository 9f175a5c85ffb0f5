import { visibleProjects } from '@bearing/access/authorize'
import { listMembers } from '@bearing/contracts/identity/members/member'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, SHOWN_SECURITY, toMember, toMemberSecurity } from './member-row.js'

@Controller()
export class ListMembers {
  constructor(private readonly database: Database) {}

  /** Only admins receive the second factor and the last sign-in of members. */
  @Handle(listMembers)
  async execute(input: Input<typeof listMembers>, by: Principal): Promise<Output<typeof listMembers>> {
    const where = { organizationId: input.organization_id }
    const visible = visibleProjects(by, input.organization_id)
    const inVisible = visible === 'all' ? {} : { where: { projectId: { in: [...visible] } } }
    const select = { ...SHOWN, projects: { ...SHOWN.projects, ...inVisible } }
    const rest = {
      where,
      orderBy: { user: { email: 'asc' } },
      skip: (input.page - 1) * input.per_page,
      take: input.per_page,
    } as const
    const [count, rows] = await Promise.all([
      this.database.membership.count({ where }),
      isAdmin(by, input.organization_id)
        ? this.database.membership
            .findMany({ ...rest, select: { ...select, ...SHOWN_SECURITY } })
            .then((rows) => rows.map((row) => ({ ...toMember(row), ...toMemberSecurity(row) })))
        : this.database.membership.findMany({ ...rest, select }).then((rows) => rows.map(toMember)),
    ])
    return page(rows, count, input)
  }
}

function isAdmin(by: Principal, organizationId: string): boolean {
  return (
    by.kind === 'user' &&
    by.grants.some(({ organization_id, role }) => organization_id === organizationId && role === 'admin')
  )
}
