import { MAX_ORGANIZATIONS_OF_USER } from '@bearing/contracts/identity/user'
import { testStack } from '@bearing/testing/stack'
import pg from 'pg'

/** A row of an audit log. */
export interface AuditRow {
  readonly action: string
  readonly target: string
  readonly actor_kind: string
  readonly actor_user_id: string | null
  readonly actor_credential_id: string | null
  readonly request_id: string
  readonly address: string | null
  readonly details: unknown
}

/** What the audit log of a service has of an organization, oldest first. */
export async function auditedIn(
  service: 'identity' | 'management',
  { id }: { readonly id: string },
): Promise<AuditRow[]> {
  const client = new pg.Client(testStack().databaseUrls[service])
  await client.connect()
  const { rows } = await client.query<AuditRow>(
    'SELECT * FROM audit_log WHERE organization_id = $1 ORDER BY id',
    [id],
  )
  await client.end()
  return rows
}

/** What identity's audit log has of what a user has done or was done to them, outside of organizations, oldest first. */
export async function auditedOf({ id }: { readonly id: string }): Promise<AuditRow[]> {
  const rows = await queryIdentity(
    'SELECT * FROM audit_log WHERE actor_user_id = $1 OR target = $2 ORDER BY id',
    [id, `user:${id}`],
  )
  return rows as unknown as AuditRow[] // the columns of that table
}

/** Lets a user belong to as many organizations as users may found and join: to others, that nobody knows. */
export async function fillOrganizations(userId: string): Promise<void> {
  await queryIdentity(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT $1, gen_random_uuid(), 'member'
     FROM generate_series(1, $2 - (SELECT count(*) FROM memberships WHERE user_id = $1))`,
    [userId, MAX_ORGANIZATIONS_OF_USER],
  )
}

/** Looks into identity's tables, or changes them behind its back. */
export async function queryIdentity(
  sql: string,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(testStack().databaseUrls.identity)
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(sql, [...values])
  await client.end()
  return rows
}
