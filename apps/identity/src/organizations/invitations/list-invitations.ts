import { listInvitations } from '@bearing/contracts/identity/members/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toInvitation } from './invitation-row.js'

@Controller()
export class ListInvitations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listInvitations)
  async execute(input: Input<typeof listInvitations>): Promise<Output<typeof listInvitations>> {
    const where = { organizationId: input.organization_id }
    const [count, rows] = await Promise.all([
      this.database.invitation.count({ where }),
      this.database.invitation.findMany({
        where,
        orderBy: { id: 'desc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const now = this.clock.now()
    return page(
      rows.map((row) => toInvitation(row, now)),
      count,
      input,
    )
  }
}
