import { findOrganizationPeople } from '@bearing/contracts/identity/organization-people'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class FindOrganizationPeople {
  constructor(private readonly database: Database) {}

  @Handle(findOrganizationPeople)
  async execute(input: Input<typeof findOrganizationPeople>): Promise<Output<typeof findOrganizationPeople>> {
    const rows = await this.database.organizationAdmin.findMany({
      where: { organizationId: { in: input.organization_ids } },
    })
    const people = Map.groupBy(rows, ({ organizationId }) => organizationId)
    return {
      organizations: Array.from(people, ([organization_id, ofOne]) => ({
        organization_id,
        user_ids: ofOne.map(({ userId }) => userId),
      })),
    }
  }
}
