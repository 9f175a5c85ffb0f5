import { listOwnMemberships } from '@bearing/contracts/identity/people/user'
import { listDeletedOrganizations } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../../tenancy/calling-user.js'
import { pageOfDeletions } from './page-of-deletions.js'

@Controller()
export class ListDeletedOrganizations {
  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
  ) {}

  /** Operators see everything, projects and erased organizations included. */
  @Handle(listDeletedOrganizations)
  async execute(
    input: Input<typeof listDeletedOrganizations>,
    by: Principal,
  ): Promise<Output<typeof listDeletedOrganizations>> {
    if (by.kind === 'service') return pageOfDeletions(this.database, { state: { not: 'restored' } }, input)
    callingUser(by)
    const { deleted_organization_ids: ids = [] } = await this.identity.call(
      listOwnMemberships,
      {},
      { claims: currentCall()?.claims },
    )
    const where = { organizationId: { in: ids }, projectId: null, state: { in: ['deleted', 'erasing'] } }
    return pageOfDeletions(this.database, where, input)
  }
}
