import { randomBytes, randomUUID } from 'node:crypto'
import type { Client } from 'pg'

/** A table that holds rows, with its schema. */
interface Table {
  /** `<schema>.<table>`. */
  readonly name: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  readonly type: string
  readonly isNeeded: boolean
  /** The table and column that it refers to. */
  readonly refersTo: { readonly table: string; readonly column: string } | null
}

/** Ids that rows belong to. */
export interface TenantIds {
  readonly organizationId: string
  readonly projectId: string
  readonly userId: string
}

/** Tables that no organization has rows in, and those that others write. */
const NOT_FILLED: Readonly<Record<string, string>> = {
  'identity.users': 'accounts belong to no organization',
  'identity.user_keys': 'of accounts',
  'identity.sign_in_networks': 'of accounts',
  'identity.totps': 'of accounts',
  'identity.login_requests': 'of accounts',
  'identity.passkeys': 'of accounts',
  'identity.recovery_codes': 'of accounts',
  'identity.password_resets': 'of accounts',
  'identity.email_changes': 'of accounts',
  'identity.audit_chains': 'written with the audit log',
  'identity.audit_checkpoints': 'written after the audit log',
  'identity.request_usage_reports': 'ids of reports, which belong to no organization',
  'identity.tenant_states': 'tombstones',
  'location.erased_tenants': 'tombstones',
  'management.deletions': 'tombstones',
  'location.device_scans': 'have hashed ids and expire in an hour',
  'location.layer_changes': 'written by triggers, and expire after six hours',
  'location.suspect_messages': 'have numbers of messages',
  'identity.idempotent_calls': 'have hashed ids and expire in a day',
  'management.idempotent_calls': 'likewise',
  'management.reserved_slugs': 'expire after 30 days',
}
/** The audit log and queues of every service. */
const NOT_FILLED_NAMES = /\.(audit_log|audit_handover|outbox|_prisma_migrations)$/

/** Tables that may name an erased organization or project, and why. */
export const KEPT: Readonly<Record<string, string>> = {
  'identity.audit_log': 'kept, or the chain could not be verified',
  'identity.audit_chains': 'ends of the chains',
  'identity.audit_checkpoints': 'signed ends of the chains',
  'management.audit_log': 'as identity has it',
  'location.audit_log': 'as identity has it',
  'identity.tenant_states': 'tombstone',
  'location.layer_changes': 'ids that expire after six hours',
  'location.erased_tenants': 'tombstone',
  'location.network_evidence': 'ids that expire after two days',
  'management.deletions': 'tombstone',
  'management.reserved_slugs': 'keeps the slug for 30 days',
}

/** Tables that services also change on their own, so that only rows that are missing count as touched. */
const CHANGING: Readonly<Record<string, string>> = {
  'identity.project_key_uses': 'gateways report uses in batches',
  'identity.project_key_devices': 'gateways report uses in batches',
  'identity.organization_token_uses': 'gateways report uses in batches',
  'identity.request_usage': 'gateways report counts in batches',
  'identity.audit_checkpoints': 'heads of chains are signed every minute',
  'location.lookup_usage': 'counts are written in batches',
  'management.webhooks': 'deliveries fail',
  'management.webhook_deliveries': 'attempts are counted',
}

/** Values of columns that a check of the database limits. */
const VALUES: Readonly<Record<string, unknown>> = {
  'identity.invitations.email': 'invited@example.com',
  'identity.invitations.role': 'member',
  'identity.legacy_tokens.kind': 'service',
  'identity.memberships.role': 'member',
  'identity.project_members.role': 'reader',
  'identity.scim_resources.type': 'User',
  'identity.mails.kind': 'invitation',
  'identity.organization_tokens.permissions': ['location:resolve'],
  'identity.sessions.ends_at': new Date('2099-01-01'),
  'identity.workload_assertions.expires_at': new Date('2099-01-01'),
  'identity.device_claims.expires_at': new Date('2099-01-01'),
  'identity.device_cas.expires_at': new Date('2099-01-01'),
  'identity.onboarding_tokens.expires_at': new Date('2099-01-01'),
  'identity.workload_trusts.lifetime_s': 900,
  'identity.workload_trusts.permissions': ['location:resolve'],
  'management.webhook_deliveries.state': 'pending',
  'management.declared_attributes.type': 'string',
  'management.device_bulk_deletions.state': 'finished',
  'management.device_bulk_deletions.finished_at': new Date(),
  'location.latest_positions.confidence': 68,
  'location.latest_positions.fulfilled_with': 'WIFI',
  'management.stored_objects.storage': 'jetstream',
  'management.chunk_objects.storage': 'jetstream',
  'management.chunk_objects.last_at': new Date(),
  'location.imports.content': 'positions',
  'location.imports.state': 'open',
  'location.imports.digest': '0'.repeat(64),
  'location.location_fallbacks.key_as': 'query',
  'location.location_fallbacks.accuracy_confidence': 68,
  'location.location_fallbacks.timeout_ms': 1_000,
  'location.device_positions.confidence': 68,
  'location.device_positions.fulfilled_with': 'WIFI',
  'location.position_policies.retention_days': 1,
  'location.cells.radio': 4,
  'location.learned_cells.radio': 4,
  'location.forgotten_cells.radio': 4,
}

/** Tables whose rows the interfaces have created. */
const TENANCY = new Set(['management.organizations', 'management.projects', 'identity.project_keys'])

/** All tables with rows of their own, from the catalog. Partitions count as their table. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; columns: Column[] }>(`
    SELECT n.nspname || '.' || c.relname AS table,
      jsonb_agg(jsonb_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, NULL),
        'isNeeded', a.attnotnull AND NOT a.atthasdef AND a.attgenerated = '',
        'refersTo', (
          SELECT jsonb_build_object('table', rn.nspname || '.' || r.relname, 'column', ra.attname)
          FROM pg_constraint f
          JOIN pg_class r ON r.oid = f.confrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
          JOIN pg_attribute ra ON ra.attrelid = r.oid AND ra.attnum = f.confkey[array_position(f.conkey, a.attnum)]
          WHERE f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey) LIMIT 1
        )) ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname IN ('identity', 'management', 'location') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    GROUP BY 1 ORDER BY 1`)
  return rows.map(({ table, columns }) => ({ name: table, columns }))
}

/**
 * Writes a row of an organization and a project into every table of the catalog, so that an erasure that does not know a table is
 * found. A new table may need a value in `VALUES`, or its reason in `NOT_FILLED`.
 *
 * @returns the ids of the rows
 */
export async function fillEveryTable(client: Client, ids: TenantIds): Promise<string[]> {
  const made: string[] = []
  const rows = new Map<string, Record<string, unknown>>()
  let missing = (await readTables(client)).filter(
    ({ name }) => !(name in NOT_FILLED) && !NOT_FILLED_NAMES.test(name),
  )
  let failures: string[] = []
  // Rows that others refer to come first: after each round there are more of them.
  for (let before = Infinity; missing.length > 0 && missing.length < before;) {
    before = missing.length
    failures = []
    const left: Table[] = []
    for (const table of missing)
      try {
        const row = rowOf(table, ids, rows)
        const created = TENANCY.has(table.name) ? undefined : await insert(client, table.name, row)
        const inserted = created ?? (await existing(client, table, ids))
        rows.set(table.name, inserted)
        const id = inserted['id']
        if (typeof id === 'string' && id !== ids.organizationId && id !== ids.projectId) made.push(id)
      } catch (error) {
        failures.push(`${table.name}: ${(error as Error).message}`)
        left.push(table)
      }
    missing = left
  }
  if (missing.length > 0) throw new Error(`These tables have no row:\n${failures.join('\n')}`)
  return made
}

/** Returns the row that there is already. */
async function existing(
  client: Client,
  { name, columns }: Table,
  { organizationId, projectId }: TenantIds,
): Promise<Record<string, unknown>> {
  const key = ['project_id', 'organization_id'].find((column) => columns.some(({ name }) => name === column))
  const id = key === 'project_id' || name.endsWith('.projects') ? projectId : organizationId
  const text = `SELECT * FROM ${name} WHERE ${name.endsWith('.projects') ? 'id' : (key ?? 'id')} = $1 LIMIT 1`
  return (await client.query<Record<string, unknown>>(text, [id])).rows[0] ?? {}
}

function rowOf({ name, columns }: Table, ids: TenantIds, rows: ReadonlyMap<string, Record<string, unknown>>) {
  const own: Readonly<Record<string, unknown>> = {
    organization_id: ids.organizationId,
    project_id: ids.projectId,
    user_id: ids.userId,
  }
  const row: Record<string, unknown> = {}
  for (const column of columns) {
    const { refersTo } = column
    const referred = refersTo && rows.get(refersTo.table)?.[refersTo.column]
    const key = `${name}.${column.name}`
    if (key === 'identity.mails.subject') row[column.name] = rows.get('identity.invitations')?.['id']
    else if (key in VALUES) row[column.name] = VALUES[key]
    else if (column.name in own) row[column.name] = own[column.name]
    else if (referred !== undefined && referred !== null) row[column.name] = referred
    else if (refersTo && !rows.has(refersTo.table) && !(refersTo.table in NOT_FILLED))
      throw new Error(`it waits for ${refersTo.table}`)
    else if (column.isNeeded) row[column.name] = valueOf(column)
  }
  return row
}

function valueOf({ name, type }: Column): unknown {
  if (type === 'uuid') return randomUUID()
  if (type === 'bytea') return randomBytes(name === 'registers' ? 1_024 : 32)
  if (type === 'jsonb') return '{}'
  if (type === 'boolean') return false
  if (type === 'date' || type.startsWith('timestamp')) return new Date()
  if (type.endsWith('[]')) return []
  if (type.startsWith('character')) return randomBytes(16).toString('hex')
  if (type === 'text') return `${name} ${randomBytes(4).toString('hex')}`
  return 4 // numbers; as an address it is that of one device
}

/** @returns undefined if there is such a row */
async function insert(client: Client, table: string, row: Readonly<Record<string, unknown>>) {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${String(index + 1)}`)
  const { rows } = await client.query<Record<string, unknown>>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})
     ON CONFLICT DO NOTHING RETURNING *`,
    Object.values(row),
  )
  return rows[0]
}

/** Returns the tables with rows that contain one of some ids, as text or in bytes, with their numbers. */
export async function findRows(client: Client, ids: readonly string[]): Promise<Map<string, number>> {
  const pattern = ids.flatMap((id) => [id, id.replaceAll('-', '')]).join('|')
  const found = new Map<string, number>()
  for (const { name } of await readTables(client)) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} AS r WHERE r::text ~ $1`,
      [pattern],
    )
    if (rows[0] && rows[0].count > 0) found.set(name, rows[0].count)
  }
  return found
}

/** The rows of an organization: a digest, or the number for tables that services change on their own. */
export type Fingerprint = ReadonlyMap<string, string | number>

/** Returns the fingerprint of all rows that contain one of some ids, by table. */
export async function fingerprint(client: Client, ids: readonly string[]): Promise<Fingerprint> {
  const pattern = ids.flatMap((id) => [id, id.replaceAll('-', '')]).join('|')
  const found = new Map<string, string | number>()
  for (const { name } of await readTables(client)) {
    const { rows } = await client.query<{ digest: string | null; count: number }>(
      `SELECT md5(string_agg(r::text, '' ORDER BY r::text)) AS digest, count(*)::int AS count
       FROM ${name} AS r WHERE r::text ~ $1`,
      [pattern],
    )
    const { digest = null, count = 0 } = rows[0] ?? {}
    if (digest !== null) found.set(name, name in CHANGING ? count : digest)
  }
  return found
}

/** Returns the tables in which rows were touched. */
export function touched(before: Fingerprint, after: Fingerprint): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((table) => {
    // A mail is deleted when it is sent.
    if (table === 'identity.mails') return false
    const [was, is] = [before.get(table), after.get(table)]
    return table in CHANGING ? Number(is ?? 0) < Number(was ?? 0) : was !== is
  })
}
