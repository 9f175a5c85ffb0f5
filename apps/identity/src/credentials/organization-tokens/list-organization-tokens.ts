import { listOrganizationTokens } from '@bearing/contracts/identity/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Clock } from '@bearing/service/clock'
import { Database } from '../../ground/database.js'
import { SHOWN, toOrganizationToken } from './organization-token-row.js'

@Controller()
export class ListOrganizationTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listOrganizationTokens)
  async execute(input: Input<typeof listOrganizationTokens>): Promise<Output<typeof listOrganizationTokens>> {
    const where = { organizationId: input.organization_id }
    const [count, rows] = await Promise.all([
      this.database.organizationToken.count({ where }),
      this.database.organizationToken.findMany({
        where,
        select: SHOWN,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const now = this.clock.now()
    return page(
      rows.map((row) => toOrganizationToken(row, now)),
      count,
      input,
    )
  }
}
