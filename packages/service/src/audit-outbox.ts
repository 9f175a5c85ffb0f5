import { AuditEvent, appendAuditEvent, type AuditedService } from '@bearing/contracts/identity/audit-log'
import type { NatsClient } from '@bearing/nats/client'
import { toAuditEvent } from './audit-event.js'
import type { AuditRow } from './audit-row.js'
import type { Logger } from './logger.js'
import { OutboxRelay, type Outbox, type OutboxEvent } from './outbox-relay.js'

/** How long identity may take for one row, in milliseconds: a shutdown waits for what is under way. */
const TIMEOUT_MS = 2_000

/** What Prisma makes of the two tables; every service that is not identity has them. */
interface AuditTables {
  readonly auditHandover: {
    findMany(query: { orderBy: { id: 'asc' }; take: number }): PromiseLike<readonly { readonly id: string }[]>
    deleteMany(query: { where: { id: { in: string[] } } }): PromiseLike<unknown>
  }
  readonly auditEntry: {
    findMany(query: {
      where: { id: { in: string[] } }
      orderBy: { id: 'asc' }
    }): PromiseLike<readonly (Omit<AuditRow, 'details'> & { readonly details: unknown })[]>
  }
}

/** Rows of a service's audit log that identity does not have yet; a trigger notes each with the row itself. */
class AuditOutbox implements Outbox {
  constructor(
    private readonly tables: AuditTables,
    private readonly subject: string,
  ) {}

  /** The oldest ones: ids are in the order of time. */
  async pending(limit: number): Promise<readonly OutboxEvent[]> {
    const noted = await this.tables.auditHandover.findMany({ orderBy: { id: 'asc' }, take: limit })
    if (noted.length === 0) return []
    const rows = await this.tables.auditEntry.findMany({
      where: { id: { in: noted.map(({ id }) => id) } },
      orderBy: { id: 'asc' },
    })
    return rows.map((row) => ({ id: row.id, subject: this.subject, data: toAuditEvent(row) }))
  }

  /** Removes the notes of rows that were handed over. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.tables.auditHandover.deleteMany({ where: { id: { in: [...ids] } } })
  }
}

/**
 * Hands the rows of a service's audit log over to identity, where an organization reads them. A note is removed only
 * when identity has committed it, so a crash delays a row and never loses it; identity recognizes duplicates by id.
 */
export function auditRelay(
  service: AuditedService,
  tables: AuditTables,
  client: NatsClient,
  logger: Logger,
): OutboxRelay {
  const operation = appendAuditEvent[service]
  return new OutboxRelay(
    new AuditOutbox(tables, operation.subject),
    {
      publish: async (_subject, _id, event) => {
        await client.call(operation, AuditEvent.parse(event), { timeoutMs: TIMEOUT_MS })
      },
    },
    logger,
  )
}
