import { listOwnMemberships } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { UserRows } from './user-rows.js'

@Controller()
export class ListOwnMemberships {
  constructor(private readonly users: UserRows) {}

  @Handle(listOwnMemberships)
  async execute(
    _: Input<typeof listOwnMemberships>,
    by: Principal,
  ): Promise<Output<typeof listOwnMemberships>> {
    const grants = by.kind === 'user' ? await this.users.findGrants(by) : []
    const deleted = grants.filter(({ deleted, role }) => deleted && role === 'admin')
    return {
      organization_ids: grants.filter(({ deleted }) => !deleted).map((grant) => grant.organization_id),
      deleted_organization_ids: deleted.map((grant) => grant.organization_id),
    }
  }
}
