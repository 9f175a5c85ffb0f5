import { resolveScope } from '@bearing/contracts/management/tenancy/scope'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'

@Controller()
export class ResolveScope {
  constructor(private readonly database: Database) {}

  /**
   * One query by unique indexes: a request waits for it if the gateway has not cached the slugs. Finds deleted organizations,
   * which their admins may restore, but no deleted projects.
   */
  @Handle(resolveScope)
  async execute({ organization, project }: Input<typeof resolveScope>): Promise<Output<typeof resolveScope>> {
    const [row] = await this.database.$queryRaw<{ organization_id: string; project_id: string | null }[]>`
      SELECT o.id AS organization_id, p.id AS project_id
      FROM organizations o
      LEFT JOIN projects p ON p.organization_id = o.id AND p.slug = ${project ?? null}::text AND p.deleted_at IS NULL
      WHERE o.slug = ${organization}`
    return row ?? { organization_id: null, project_id: null }
  }
}
