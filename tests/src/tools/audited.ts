import { MAX_ORGANIZATIONS_OF_USER } from '@bearing/contracts/identity/people/user'
import { SERVICES } from '@bearing/testing/addresses'
import type { StackAddresses } from '@bearing/testing/addresses'
import { connectTo } from '@bearing/testing/connect-to'
import { testStack } from '@bearing/testing/stack'

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

/** Returns the rows of an organization in the audit log of a service, oldest first. */
export async function auditedIn(
  service: 'identity' | 'management',
  { id }: { readonly id: string },
  stack: StackAddresses = testStack(),
): Promise<AuditRow[]> {
  await using client = await connectTo(stack.databaseUrls[service])
  const { rows } = await client.query<AuditRow>(
    'SELECT * FROM audit_log WHERE organization_id = $1 ORDER BY id',
    [id],
  )
  return rows
}

/** Returns the number of rows of a request in the audit logs of all services. */
export async function rowsOfRequest(requestId: string): Promise<number> {
  const counts = await Promise.all(
    SERVICES.map(async (service) => {
      await using client = await connectTo(testStack().databaseUrls[service])
      // Those that were handed over to identity are there too.
      const { rowCount } = await client.query('SELECT 1 FROM audit_log WHERE request_id = $1', [requestId])
      return rowCount ?? 0
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The rows of an organization in identity, and the actions that record their creation or end. */
const RECORDED: readonly (readonly [what: string, ids: string, actions: readonly string[]])[] = [
  [
    'membership',
    'SELECT user_id AS id FROM memberships WHERE organization_id = $1',
    ['organization.founded', 'membership.granted', 'invitation.accepted'],
  ],
  [
    'role in a project',
    'SELECT user_id AS id FROM project_members WHERE organization_id = $1',
    ['membership.granted', 'project_member.set', 'invitation.accepted'],
  ],
  [
    'project key',
    'SELECT id FROM project_keys WHERE organization_id = $1',
    ['project_key.created', 'project_key.cycled'],
  ],
  ['token', 'SELECT id FROM organization_tokens WHERE organization_id = $1', ['organization_token.created']],
  [
    'end of a token',
    'SELECT id FROM organization_tokens WHERE organization_id = $1 AND deleted_at IS NOT NULL',
    ['organization_token.deleted'],
  ],
  ['invitation', 'SELECT id FROM invitations WHERE organization_id = $1', ['invitation.created']],
  [
    'end of an invitation',
    'SELECT id FROM invitations WHERE organization_id = $1 AND revoked_at < expires_at',
    ['invitation.revoked'],
  ],
  [
    'team',
    'SELECT id FROM partner_teams WHERE organization_id = $1',
    ['partner_team.founded', 'partner_link.confirmed'],
  ],
]

/**
 * Returns rows of an organization in identity that its audit log does not mention.
 *
 * @returns what it is, and its id
 */
export async function untoldOf({ id }: { readonly id: string }): Promise<string[]> {
  const untold: string[] = []
  for (const [what, ids, actions] of RECORDED) {
    const rows = await queryIdentity(
      `SELECT id FROM (${ids}) AS had WHERE NOT EXISTS (
         SELECT 1 FROM audit_log WHERE organization_id = $1 AND action = ANY ($2)
           AND (target LIKE '%:' || had.id OR actor_user_id = had.id OR details->>'user_id' = had.id::text))`,
      [id, actions],
    )
    untold.push(...rows.map((row) => `${what} ${String(row['id'])}`))
  }
  return untold
}

/** Returns the rows of identity's audit log with a user as actor or target, oldest first. */
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
  await using client = await connectTo(testStack().databaseUrls.identity)
  const { rows } = await client.query<Record<string, unknown>>(sql, [...values])
  return rows
}
