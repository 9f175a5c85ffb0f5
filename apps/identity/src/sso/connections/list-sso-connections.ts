import { listSsoConnections } from '@bearing/contracts/identity/sso/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toConnection } from './connection-row.js'

@Controller()
export class ListSsoConnections {
  constructor(private readonly database: Database) {}

  @Handle(listSsoConnections)
  async execute(input: Input<typeof listSsoConnections>): Promise<Output<typeof listSsoConnections>> {
    const where = { organizationId: input.organization_id }
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
    return page(rows.map(toConnection), count, input)
  }
}
