import type { OutboxEvent } from '@bearing/service/outbox-relay'
import type { Transaction } from './database.js'

/** Writes an event in the transaction that causes it: it is published once that is committed, whatever becomes of the process. */
export async function writeEvent(transaction: Transaction, event: OutboxEvent, now: Date): Promise<void> {
  const { id, subject, data } = event
  await transaction.outboxEvent.create({ data: { id, subject, data: data as object, createdAt: now } })
}
