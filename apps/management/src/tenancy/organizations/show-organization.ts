import { showOrganization } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { organizationNotFound, SHOWN, toOrganization } from './organization-row.js'

@Controller()
export class ShowOrganization {
  constructor(private readonly database: Database) {}

  @Handle(showOrganization)
  async execute({
    organization_id: id,
  }: Input<typeof showOrganization>): Promise<Output<typeof showOrganization>> {
    const row = await this.database.organization.findUnique({ where: { id }, select: SHOWN })
    if (!row) throw organizationNotFound()
    return toOrganization(row)
  }
}
