import { addFirstAdminFor } from '@bearing/contracts/identity/people/user'
import { createOrganizationFor } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { NewOrganizations } from './new-organizations.js'

@Controller()
export class CreateOrganizationFor {
  constructor(
    private readonly organizations: NewOrganizations,
    private readonly identity: NatsClient,
  ) {}

  @Handle(createOrganizationFor)
  async execute(
    { admin: email, ...input }: Input<typeof createOrganizationFor>,
    by: Principal,
  ): Promise<Output<typeof createOrganizationFor>> {
    return this.organizations.create(input, by, async (founded_organization_id, claims) => {
      const named = { founded_organization_id, email }
      const { user_id } = await this.identity.call(addFirstAdminFor, named, { claims })
      return user_id
    })
  }
}
