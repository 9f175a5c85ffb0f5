import { listOwnMemberships } from '@bearing/contracts/identity/people/user'
import { listOrganizations } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toOrganization } from './organization-row.js'

@Controller()
export class ListOrganizations {
  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
  ) {}

  /** Lists organizations that require single sign-on too: the caller is a member, even if every action is denied. */
  @Handle(listOrganizations)
  async execute(
    input: Input<typeof listOrganizations>,
    by: Principal,
  ): Promise<Output<typeof listOrganizations>> {
    const ids = isOrganizationToken(by) ? [by.organization_id] : await this.ownOrganizations()
    const where = { id: { in: ids }, deletedAt: null }
    const [count, rows] = await Promise.all([
      this.database.organization.count({ where }),
      this.database.organization.findMany({
        where,
        select: SHOWN,
        orderBy: { slug: 'asc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toOrganization), count, input)
  }

  private async ownOrganizations(): Promise<string[]> {
    const { organization_ids } = await this.identity.call(
      listOwnMemberships,
      {},
      { claims: currentCall()?.claims },
    )
    return organization_ids
  }
}
