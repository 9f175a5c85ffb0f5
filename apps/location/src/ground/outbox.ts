import type { OutboxEvent } from '@bearing/service/outbox-relay'
import type pg from 'pg'

/** Stores an event that is published after the commit (OutboxRelay). */
export async function storeEvent(
  client: pg.ClientBase,
  { id, subject, data }: OutboxEvent,
  now: Date,
): Promise<void> {
  await client.query('INSERT INTO outbox (id, subject, data, created_at) VALUES ($1, $2, $3, $4)', [
    id,
    subject,
    data,
    now,
  ])
}
