import { invalidInput } from '@bearing/contracts/errors'
import { EXPORT_PAGE_ROWS, exportAuditEntries } from '@bearing/contracts/identity/audit/audit-log'
import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Readings } from '@bearing/service/audit/readings'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import type { AuditEntry, Prisma } from '../../generated/prisma/client.js'
import { toEntry } from './audit-entry.js'
import { auditFilters, readingOf } from './audit-filters.js'

/** Position in an export: first rows from before there were chains, by id; then the chain, by sequence. */
type Cursor = { readonly id: string } | { readonly sequence: number }

@Controller()
export class ExportAuditEntries {
  constructor(
    private readonly database: Database,
    private readonly readings: Readings<AuditAction<'identity'>>,
  ) {}

  @Handle(exportAuditEntries)
  async execute(
    input: Input<typeof exportAuditEntries>,
    by: Principal,
  ): Promise<Output<typeof exportAuditEntries>> {
    const cursor = input.cursor === undefined ? undefined : readCursor(input.cursor)
    await this.readings.note(by, readingOf('audit_log.exported', input.organization_id))
    const where = await auditFilters(this.database, input)
    const unchained = cursor && 'sequence' in cursor ? [] : await this.unchained(where, cursor?.id)
    const left = EXPORT_PAGE_ROWS - unchained.length
    const rows = left > 0 ? [...unchained, ...(await this.chained(where, cursor, left))] : unchained
    return { data: rows.map(toEntry), next: rows.length < EXPORT_PAGE_ROWS ? null : cursorAfter(rows) }
  }

  private unchained(where: Prisma.AuditEntryWhereInput, after: string | undefined): Promise<AuditEntry[]> {
    return this.database.auditEntry.findMany({
      where: { ...where, chain: null, ...(after !== undefined && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take: EXPORT_PAGE_ROWS,
    })
  }

  private chained(
    where: Prisma.AuditEntryWhereInput,
    cursor: Cursor | undefined,
    take: number,
  ): Promise<AuditEntry[]> {
    const after = cursor && 'sequence' in cursor ? cursor.sequence : 0
    return this.database.auditEntry.findMany({
      // The chain of an organization has its id. The index starts with it.
      where: { ...where, chain: where.organizationId as string, sequence: { gt: after } },
      orderBy: { sequence: 'asc' },
      take,
    })
  }
}

function readCursor(text: string): Cursor {
  const [, sequence, id] = /^(?:s(\d{1,15})|i([0-9a-f-]{36}))$/.exec(text) ?? []
  if (sequence !== undefined) return { sequence: Number(sequence) }
  if (id !== undefined) return { id }
  throw invalidInput('/cursor', 'must be the `next` of the previous reply')
}

function cursorAfter(rows: readonly AuditEntry[]): string | null {
  const last = rows.at(-1)
  if (!last) return null
  return last.sequence === null ? `i${last.id}` : `s${String(last.sequence)}`
}
