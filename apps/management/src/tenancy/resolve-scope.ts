import { resolveAddress } from '@bearing/contracts/management/address'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'

@Controller()
export class ResolveAddress {
  constructor(private readonly database: Database) {}

  /** One query by unique indexes, because requests wait for it when a gateway has not resolved the address lately. */
  @Handle(resolveAddress)
  async execute({
    organization,
    project,
  }: Input<typeof resolveAddress>): Promise<Output<typeof resolveAddress>> {
    const [row] = await this.database.$queryRaw<{ organization_id: string; project_id: string | null }[]>`
      SELECT o.id AS organization_id, p.id AS project_id
      FROM organizations o
      LEFT JOIN projects p ON p.organization_id = o.id AND p.slug = ${project ?? null}::text
      WHERE o.slug = ${organization}`
    return row ?? { organization_id: null, project_id: null }
  }
}
