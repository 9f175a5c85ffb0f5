import { listLegacyTokens } from '@bearing/contracts/identity/tokens/legacy-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toLegacyToken } from './legacy-token-row.js'

@Controller()
export class ListLegacyTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listLegacyTokens)
  async execute(input: Input<typeof listLegacyTokens>): Promise<Output<typeof listLegacyTokens>> {
    const where = { organizationId: input.organization_id }
    const [count, rows] = await Promise.all([
      this.database.legacyToken.count({ where }),
      this.database.legacyToken.findMany({
        where,
        select: SHOWN,
        orderBy: [{ importedAt: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const now = this.clock.now()
    return page(
      rows.map((row) => toLegacyToken(row, now)),
      count,
      input,
    )
  }
}
