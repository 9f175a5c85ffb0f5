import { OperationError } from '@bearing/contracts/errors'
import { addFirstAdmin } from '@bearing/contracts/identity/people/user'
import { createOrganization } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Controller, Inject } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { callingUser } from '../calling-user.js'
import { NewOrganizations } from './new-organizations.js'

@Controller()
export class CreateOrganization {
  constructor(
    private readonly organizations: NewOrganizations,
    private readonly identity: NatsClient,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Handle(createOrganization)
  async execute(
    input: Input<typeof createOrganization>,
    by: Principal,
  ): Promise<Output<typeof createOrganization>> {
    const { userId } = callingUser(by)
    if (this.settings.ORGANIZATION_CREATION === 'operators')
      throw new OperationError(
        'permission_denied',
        'Only the operators of Bearing create organizations here. Ask them for one, or ask an admin of an organization for an invitation.',
      )
    return this.organizations.create(input, by, async (founded_organization_id, claims) => {
      await this.identity.call(addFirstAdmin, { founded_organization_id }, { claims })
      return userId
    })
  }
}
