import { listAuditEntries } from '@bearing/contracts/identity/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { toEntry } from './audit-entry.js'
import { auditFilters } from './audit-filters.js'

@Controller()
export class ListAuditEntries {
  constructor(private readonly database: Database) {}

  @Handle(listAuditEntries)
  async execute(input: Input<typeof listAuditEntries>): Promise<Output<typeof listAuditEntries>> {
    const where = auditFilters(input)
    const [count, rows] = await Promise.all([
      this.database.auditEntry.count({ where }),
      this.database.auditEntry.findMany({
        where,
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const emails = await this.emailsOf(rows.map(({ actorUserId }) => actorUserId))
    return page(
      rows.map((row) => ({ ...toEntry(row), actor_email: emails.get(row.actorUserId) ?? null })),
      count,
      input,
    )
  }

  private async emailsOf(ids: readonly (string | null)[]): Promise<ReadonlyMap<string | null, string>> {
    const users = await this.database.user.findMany({
      where: { id: { in: [...new Set(ids)].filter((id) => id !== null) } },
      select: { id: true, email: true },
    })
    return new Map(users.map(({ id, email }) => [id, email]))
  }
}
