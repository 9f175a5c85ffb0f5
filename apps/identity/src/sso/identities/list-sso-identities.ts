import { listSsoIdentities } from '@bearing/contracts/identity/sso/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../../people/users/calling-user.js'

@Controller()
export class ListSsoIdentities {
  constructor(private readonly database: Database) {}

  @Handle(listSsoIdentities)
  async execute(
    input: Input<typeof listSsoIdentities>,
    by: Principal,
  ): Promise<Output<typeof listSsoIdentities>> {
    const where = { userId: callingUser(by).userId }
    const [count, rows] = await Promise.all([
      this.database.ssoIdentity.count({ where }),
      this.database.ssoIdentity.findMany({
        where,
        include: { connection: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const data = rows.map(({ id, connectionId, connection, issuer, subject, createdAt }) => ({
      id,
      connection_id: connectionId,
      connection_name: connection.name,
      issuer,
      subject,
      created_at: createdAt.toISOString(),
    }))
    return page(data, count, input)
  }
}
