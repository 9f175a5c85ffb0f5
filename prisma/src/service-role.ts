import { setTimeout as sleep } from 'node:timers/promises'
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'

const ITERATIONS = 4096
const SALT_BYTES = 16

/**
 * Returns the verifier of a password that Postgres stores (RFC 5802, SCRAM-SHA-256). Setting this in place of the password keeps
 * the password itself out of the server's log and statistics.
 *
 * @param password of printable ASCII: others would first have to be normalized (SASLprep)
 * @param salt (default: random)
 */
function scramVerifier(password: string, salt: Uint8Array = randomBytes(SALT_BYTES)): string {
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new Error('a database password has to be of printable ASCII characters')
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (label: string) => createHmac('sha256', salted).update(label).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  const server = keyed('Server Key').toString('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${stored}:${server}`
}

/** A service's place in the database. */
export interface ServiceRole {
  readonly schema: string
  readonly database: string
  readonly role: string
  readonly password: string
}

/**
 * Reads the role of a service out of the URL that the service connects with.
 *
 * @param adminUrl of the same database
 * @throws where the URL does not do; the message names the service and never shows a URL
 */
export function serviceRole(schema: string, url: string, adminUrl: string): ServiceRole {
  const admin = parse(adminUrl, "The administrator's database URL")
  const service = parse(url, `The database URL of ${schema}`)
  if (!service.role || !service.password)
    throw new Error(`The database URL of ${schema} has to name a user and a password: they become its role.`)
  if (service.role === admin.role)
    throw new Error(
      `The database URL of ${schema} names the administrator: every service needs a role of its own.`,
    )
  if (service.database !== admin.database)
    throw new Error(`The database URL of ${schema} names another database than the administrator's.`)
  return { schema, ...service }
}

function parse(url: string, what: string): Omit<ServiceRole, 'schema'> {
  // `new URL` would put the whole text, password and all, into the error it throws.
  const parsed = URL.parse(url)
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new Error(`${what} is not of the form postgresql://user:password@host:port/database.`)
  return {
    role: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
  }
}

const { escapeIdentifier: name, escapeLiteral: literal } = pg
const ATTEMPTS = 10

/**
 * Makes the schema and the role of a service, or brings them up to date.
 *
 * Roles belong to the whole server, while the lock that {@link import('./migrate.js')} holds belongs to one database: two
 * databases of one server may be prepared concurrently; a failed attempt is repeated.
 */
export async function createServiceRole(admin: pg.Client, service: ServiceRole): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(await roleStatements(admin, service))
      return
    } catch (error) {
      if (!isLostRace(error) || attempt === ATTEMPTS) throw error
      await sleep(50 * Math.random() * attempt)
    }
  }
}

function isLostRace(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const { code = '', message } = error
  return ['23505', '42710'].includes(code) || message.includes('concurrently updated')
}

async function roleStatements(admin: pg.Client, service: ServiceRole): Promise<string> {
  const [schema, database, role] = [service.schema, service.database, service.role].map(name)
  const exists = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [service.role])
  // `SET search_path` lets the service name its tables without their schema.
  return `
    ${exists.rowCount ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${literal(scramVerifier(service.password))};
    ALTER ROLE ${role} IN DATABASE ${database} SET search_path = ${schema};
    GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${role};
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    CREATE SCHEMA IF NOT EXISTS ${schema};
    GRANT USAGE ON SCHEMA ${schema} TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${role};`
}

/**
 * Lets the role of a service read and write the tables there are. Of the history of its migrations it sees the names of those
 * that were applied, in the view `applied_migrations`: it starts when all that it needs are there. To its audit log it may only add, so that not even a service that was taken over can make undone what it wrote there.
 */
export async function grantTables(admin: pg.Client, { schema, role }: ServiceRole): Promise<void> {
  const auditLog = `${name(schema)}.audit_log`
  const { rows } = await admin.query<{ audited: boolean }>('SELECT to_regclass($1) IS NOT NULL AS audited', [
    auditLog,
  ])
  // DISTINCT: a view that could be written through would open the history.
  await admin.query(`
    CREATE OR REPLACE VIEW ${name(schema)}.applied_migrations AS
      SELECT DISTINCT migration_name AS name FROM ${name(schema)}._prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name(schema)} TO ${name(role)};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${name(schema)} TO ${name(role)};
    REVOKE ALL ON ${name(schema)}._prisma_migrations, ${name(schema)}.applied_migrations FROM ${name(role)};
    GRANT SELECT ON ${name(schema)}.applied_migrations TO ${name(role)};
    ${rows[0]?.audited ? `REVOKE UPDATE, DELETE ON ${auditLog} FROM ${name(role)};` : ''}`)
}
