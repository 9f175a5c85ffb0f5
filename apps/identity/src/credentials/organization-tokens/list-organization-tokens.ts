import { listOrganizationTokens } from '@bearing/contracts/identity/tokens/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import type { Prisma } from '../../generated/prisma/client.js'
import { SHOWN, toOrganizationToken } from './organization-token-row.js'

type Filter = Prisma.OrganizationTokenWhereInput

@Controller()
export class ListOrganizationTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listOrganizationTokens)
  async execute(input: Input<typeof listOrganizationTokens>): Promise<Output<typeof listOrganizationTokens>> {
    const now = this.clock.now()
    const where = filterOf(input, now)
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
    return page(
      rows.map((row) => toOrganizationToken(row, now)),
      count,
      input,
    )
  }
}

/** Conditions that the indexes do not cover are checked on the tokens of the organization alone. */
function filterOf(
  { organization_id, state, unused_since, creator, derived_from, q }: Input<typeof listOrganizationTokens>,
  now: Date,
) {
  const filters: Filter[] = [
    { organizationId: organization_id },
    { ancestors: derived_from === undefined ? { isEmpty: true } : { has: derived_from } },
  ]
  if (state !== undefined) filters.push(filterOfState(state, now))
  if (creator !== undefined) filters.push({ createdBy: creator })
  if (unused_since !== undefined) {
    const before = { lt: new Date(unused_since) }
    filters.push({ OR: [{ lastUse: { usedAt: before } }, { lastUse: null, createdAt: before }] })
  }
  // "%", "_" and "\" are literal characters of the name.
  if (q !== undefined)
    filters.push({ description: { contains: q.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' } })
  return { AND: filters }
}

function filterOfState(state: 'active' | 'expired' | 'deleted', now: Date): Filter {
  switch (state) {
    case 'active':
      return { deletedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
    case 'expired':
      return { deletedAt: null, expiresAt: { lte: now } }
    case 'deleted':
      return { deletedAt: { not: null } }
  }
}
