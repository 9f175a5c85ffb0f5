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
