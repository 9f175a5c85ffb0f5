import { listPartnerConnections } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toPartnerConnection } from './partner-connection-row.js'

@Controller()
export class ListPartnerConnections {
  constructor(private readonly database: Database) {}

  @Handle(listPartnerConnections)
  async execute(input: Input<typeof listPartnerConnections>): Promise<Output<typeof listPartnerConnections>> {
    const where = { organizationId: null }
    const [count, rows] = await Promise.all([
      this.database.ssoConnection.count({ where }),
      this.database.ssoConnection.findMany({
        where,
        select: SHOWN,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toPartnerConnection), count, input)
  }
}
