import type { Outbox, OutboxEvent } from '@bearing/service/outbox-relay'
import type { Database } from '../database.js'

/** Identity's events that are still to be published. */
export class OutboxTable implements Outbox {
  constructor(private readonly database: Database) {}

  /** The oldest ones: ids are in the order of time. */
  pending(limit: number): Promise<readonly OutboxEvent[]> {
    return this.database.outboxEvent.findMany({
      select: { id: true, subject: true, data: true },
      orderBy: { id: 'asc' },
      take: limit,
    })
  }

  /** Forgets events that were published. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.database.outboxEvent.deleteMany({ where: { id: { in: [...ids] } } })
  }
}
