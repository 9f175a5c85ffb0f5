import { invalidInput } from '@bearing/contracts/errors'
import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { listAuditEntries, MAX_COUNTED_ROWS } from '@bearing/contracts/identity/audit/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Readings } from '@bearing/service/audit/readings'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { behind, readCursor, writeCursor } from './audit-cursor.js'
import { toEntry } from './audit-entry.js'
import { auditFilters, readingOf } from './audit-filters.js'
import { namedId, namesOf } from './audit-names.js'

@Controller()
export class ListAuditEntries {
  constructor(
    private readonly database: Database,
    private readonly readings: Readings<AuditAction<'identity'>>,
  ) {}

  /** Reads one row more than the page has, to know whether there is a next page. */
  @Handle(listAuditEntries)
  async execute(
    input: Input<typeof listAuditEntries>,
    by: Principal,
  ): Promise<Output<typeof listAuditEntries>> {
    const after = input.cursor === undefined ? undefined : readCursor(input.cursor)
    if (after && input.page > 1) throw invalidInput('/page', 'cannot be combined with cursor')
    await this.readings.note(by, readingOf('audit_log.read', input.organization_id))
    const where = await auditFilters(this.database, input)
    const [counted, found] = await Promise.all([
      after?.total ?? this.database.auditEntry.count({ where, take: MAX_COUNTED_ROWS + 1 }),
      this.database.auditEntry.findMany({
        where: after ? { AND: [where, behind(after)] } : where,
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page + 1,
      }),
    ])
    const rows = found.slice(0, input.per_page)
    const last = rows.at(-1)
    const isCapped = counted > MAX_COUNTED_ROWS
    const { emails, tokens, targets } = await namesOf(this.database, input.organization_id, rows)
    const { data, paging } = page(
      rows.map((row) => ({
        ...toEntry(row),
        actor_email: emails.get(row.actorUserId) ?? null,
        actor_name: tokens.get(row.actorCredentialId) ?? null,
        target_name: targets.get(namedId(row.target)) ?? null,
      })),
      isCapped ? MAX_COUNTED_ROWS : counted,
      input,
    )
    const next = found.length > rows.length && last ? writeCursor(last, counted) : null
    // Callers that read page by page stop at the last one: name a next one, also behind the counted rows.
    const page_count = Math.max(paging.page_count, next === null ? 0 : input.page + 1)
    return { data, paging: { ...paging, page_count, ...(isCapped && { total_is_minimum: true }) }, next }
  }
}
