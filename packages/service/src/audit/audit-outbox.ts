import { appendAuditEvent } from '@bearing/contracts/identity/audit/audit-append'
import { AuditEvent } from '@bearing/contracts/identity/audit/audit-log'
import type { NatsClient } from '@bearing/nats/client'
import { toAuditEvent } from './audit-event.js'
import type { AuditRow } from './audit-row.js'
import type { Logger } from '../observe/logger.js'
import {
  LockedOutbox,
  OutboxRelay,
  type LockingDatabase,
  type LockingTransaction,
  type PendingEvents,
} from './outbox-relay.js'

/** Time limit for identity to store one row, in milliseconds: a shutdown waits for calls under way. */
const TIMEOUT_MS = 2_000

/** The two tables in Prisma's client; every service but identity has them. */
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
function pendingRows({ auditHandover, auditEntry }: AuditTables, subject: string): PendingEvents {
  return {
    // Ids are in the order of time.
    pending: async (limit) => {
      const noted = await auditHandover.findMany({ orderBy: { id: 'asc' }, take: limit })
      if (noted.length === 0) return []
      const rows = await auditEntry.findMany({
        where: { id: { in: noted.map(({ id }) => id) } },
        orderBy: { id: 'asc' },
      })
      return rows.map((row) => ({ id: row.id, subject, data: toAuditEvent(row) }))
    },
    // The notes of rows that were handed over.
    remove: async (ids) => {
      await auditHandover.deleteMany({ where: { id: { in: [...ids] } } })
    },
  }
}

/**
 * Hands the rows of a service's audit log over to identity, where an organization reads them. A note is removed only
 * when identity has committed it, so a crash delays a row and never loses it; identity recognizes duplicates by id.
 */
export function auditRelay<Transaction extends LockingTransaction & AuditTables>(
  service: keyof typeof appendAuditEvent,
  database: LockingDatabase<Transaction>,
  client: NatsClient,
  logger: Logger,
): OutboxRelay {
  const operation = appendAuditEvent[service]
  return new OutboxRelay(
    new LockedOutbox(database, 'audit_handover', (tables) => pendingRows(tables, operation.subject)),
    {
      publish: async (_subject, _id, event) => {
        await client.call(operation, AuditEvent.parse(event), { timeoutMs: TIMEOUT_MS })
      },
    },
    logger,
  )
}
