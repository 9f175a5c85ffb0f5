import { listSsoDomains } from '@bearing/contracts/identity/sso/sso-domain'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toDomain } from './domain-row.js'

@Controller()
export class ListSsoDomains {
  constructor(private readonly database: Database) {}

  @Handle(listSsoDomains)
  async execute(input: Input<typeof listSsoDomains>): Promise<Output<typeof listSsoDomains>> {
    const where = { organizationId: input.organization_id }
    const [count, rows] = await Promise.all([
      this.database.ssoDomain.count({ where }),
      this.database.ssoDomain.findMany({
        where,
        orderBy: { domain: 'asc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toDomain), count, input)
  }
}
