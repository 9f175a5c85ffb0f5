import { listPartnerLinks } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class ListPartnerLinks {
  constructor(private readonly database: Database) {}

  @Handle(listPartnerLinks)
  async execute(input: Input<typeof listPartnerLinks>): Promise<Output<typeof listPartnerLinks>> {
    const where = { requestedOrganizationId: input.organization_id, organizationId: null }
    const [count, rows] = await Promise.all([
      this.database.partnerTeam.count({ where }),
      this.database.partnerTeam.findMany({
        where,
        include: { connection: { select: { name: true } }, requester: { select: { email: true } } },
        orderBy: { id: 'desc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const data = rows.map(({ id, requestId, name, connection, requester, requestedAt, createdAt }) => ({
      id: requestId ?? id,
      team_name: name,
      partner: connection.name,
      // The database has all columns of a request or none.
      requested_by: requester?.email ?? '',
      requested_at: (requestedAt ?? createdAt).toISOString(),
    }))
    return page(data, count, input)
  }
}
