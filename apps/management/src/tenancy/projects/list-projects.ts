import { visibleProjects } from '@bearing/access/authorize'
import { listProjects } from '@bearing/contracts/management/tenancy/project'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toProject } from './project-row.js'

const VISIBLE =
  'organization_id = $1::uuid AND deleted_at IS NULL AND ($2::uuid[] IS NULL OR id = ANY ($2::uuid[]))'

/** One statement, which each connection prepares once; Prisma runs two. The number of projects comes with an empty page too. */
const LIST = {
  name: 'list-projects',
  text: `
    SELECT total.count, listed.*
    FROM (SELECT count(*)::int FROM projects WHERE ${VISIBLE}) AS total LEFT JOIN (
      SELECT id, slug, name, created_at AS "createdAt" FROM projects WHERE ${VISIBLE} ORDER BY slug LIMIT $3 OFFSET $4
    ) AS listed ON true
    ORDER BY slug`,
}

/** A project, or only the count if the page has none. */
type Row = { readonly count: number } & (
  | { readonly id: string; readonly slug: string; readonly name: string; readonly createdAt: Date }
  | { readonly id: null }
)

@Controller()
export class ListProjects {
  constructor(private readonly database: Database) {}

  @Handle(listProjects)
  async execute(input: Input<typeof listProjects>, by: Principal): Promise<Output<typeof listProjects>> {
    const visible = visibleProjects(by, input.organization_id)
    const skipped = (input.page - 1) * input.per_page
    const { rows } = await this.database.pool.query<Row>({
      ...LIST,
      values: [input.organization_id, visible === 'all' ? null : visible, input.per_page, skipped],
    })
    const projects = rows.flatMap((row) => (row.id === null ? [] : [toProject(row)]))
    return page(projects, rows[0]?.count ?? 0, input)
  }
}
