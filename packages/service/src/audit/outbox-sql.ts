import type { AuditRow } from './audit-row.js'
import { toAuditEvent } from './audit-event.js'
import type { OutboxEvent } from './outbox-relay.js'

/** A client of Prisma or of `pg`, in a transaction or outside of one. */
export type SqlClient =
  | { $executeRawUnsafe(statement: string, ...values: unknown[]): PromiseLike<unknown> }
  | { query(statement: string, values: unknown[]): PromiseLike<unknown> }

/** Stores events to be published after the commit. */
export async function insertEvents(
  client: SqlClient,
  events: readonly OutboxEvent[],
  now: Date,
): Promise<void> {
  await execute(
    client,
    `INSERT INTO outbox (id, subject, data, created_at)
     SELECT id, subject, data, $2::timestamptz
     FROM jsonb_to_recordset($1::jsonb) AS event (id uuid, subject text, data jsonb)`,
    [JSON.stringify(events), now.toISOString()],
  )
}

/** Removes events that were published. */
export async function removeEvents(client: SqlClient, ids: readonly string[]): Promise<void> {
  await execute(
    client,
    `DELETE FROM outbox WHERE id IN (SELECT value::uuid FROM jsonb_array_elements_text($1::jsonb))`,
    [JSON.stringify(ids)],
  )
}

/** Stores audit entries of a service that hands them over to identity. */
export async function insertAuditRows(client: SqlClient, rows: readonly AuditRow[]): Promise<void> {
  const columns =
    'id, organization_id, actor_kind, actor_credential_id, actor_user_id, actor_service, action, target, details, address, request_id, at'
  await execute(
    client,
    `INSERT INTO audit_log (${columns})
     SELECT ${columns} FROM jsonb_to_recordset($1::jsonb) AS entry (
       id uuid, organization_id uuid, actor_kind text, actor_credential_id uuid, actor_user_id uuid, actor_service text,
       action text, target text, details jsonb, address text, request_id text, at timestamptz)`,
    [JSON.stringify(rows.map(toAuditEvent))],
  )
}

async function execute(client: SqlClient, statement: string, values: unknown[]): Promise<void> {
  await ('$executeRawUnsafe' in client
    ? client.$executeRawUnsafe(statement, ...values)
    : client.query(statement, values))
}
