import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Runtime } from '../observe/runtime.js'
import type { Metrics } from '../observe/metrics.js'
import { STATEMENT_MS } from './postgres-settings.js'
import { SettingsError } from '../ground/settings.js'
import { warnSeldom } from '../observe/warn-seldom.js'

/** The part of Prisma's client that is used. */
export interface SchemaReader {
  $queryRawUnsafe<Rows>(statement: string): PromiseLike<Rows>
  $disconnect(): Promise<void>
}

/** The tables that a service needs. */
export interface Schema {
  /** Name of the Postgres schema. */
  readonly name: string
  /** Names of all migrations that this version of the service knows. The database may have more: those of a newer version. */
  readonly migrations: readonly string[]
  /** Opens a connection with the settings of the service. */
  readonly open: () => SchemaReader
}

/** Postgres has answered, and the migration program of this version has not run. */
class MissingMigrations extends Error {}

const RETRY_MS = 1_000
/** As PgBouncer says it: https://www.pgbouncer.org/config.html#ignore_startup_parameters */
const UNSUPPORTED = /unsupported startup parameter/i

/**
 * Waits until a database has all migrations that the service knows. Until then the process is not ready, and takes no work: in a
 * rollout whose migration has not run, the pods of the former version continue.
 *
 * @throws SettingsError if a connection pooler stands between: it drops the time limits of statements
 */
export async function untilMigrated(
  schema: Schema,
  { logger, health, metrics }: Pick<Runtime, 'logger' | 'health' | 'metrics'>,
): Promise<void> {
  let reason: Error | undefined = new Error('the migrations have not been looked up yet')
  const rejectIf = (error: Error | undefined) => (error ? Promise.reject(error) : Promise.resolve())
  health.need(
    // The service replaces it with a check of its own pool. A wrong password is not a missing migration.
    { name: 'postgres', check: () => rejectIf(reason instanceof MissingMigrations ? undefined : reason) },
    { name: 'schema', check: () => rejectIf(reason) },
  )
  const warn = warnSeldom(logger, 'waiting for the tables')
  const reader = schema.open()
  try {
    while ((reason = await whyNot(reader, schema, metrics))) {
      warn(reason)
      await sleep(RETRY_MS)
    }
  } finally {
    await reader.$disconnect()
  }
}

/** @returns why the service cannot start; undefined if it can */
async function whyNot(
  reader: SchemaReader,
  { name, migrations }: Schema,
  metrics: Metrics,
): Promise<Error | undefined> {
  try {
    await requireNoPooler(reader, name)
    const applied = await readApplied(reader)
    const missing = migrations.filter((migration) => !applied.has(migration))
    metrics.schema({
      name,
      needed: migrations.at(-1) ?? '',
      applied: [...applied].sort().at(-1) ?? '',
      missing: missing.length,
    })
    if (missing.length === 0) return undefined
    const [first = ''] = missing
    return new MissingMigrations(
      `the schema ${name} lacks ${String(missing.length)} migrations, the first is ${first}`,
    )
  } catch (error) {
    if (error instanceof SettingsError) throw error
    if (UNSUPPORTED.test(inspect(error, { depth: 6 }))) throw poolerError(name)
    return error as Error // of Prisma, which throws nothing else
  }
}

/** A pooler that ignores the settings of a connection lets statements run without a limit. */
async function requireNoPooler(reader: SchemaReader, schema: string): Promise<void> {
  const [row] = await reader.$queryRawUnsafe<{ limited: boolean }[]>(
    `SELECT current_setting('statement_timeout')::interval = '${String(STATEMENT_MS)} ms'::interval AS limited`,
  )
  if (row?.limited !== true) throw poolerError(schema)
}

function poolerError(schema: string): SettingsError {
  return new SettingsError(
    `The database URL of ${schema} leads to a connection pooler, such as PgBouncer, that does not keep the settings of a connection: statements would run without a time limit. Connect to Postgres directly; see docs/operations.md#connections-to-postgres.`,
  )
}

/** From the view that the migration program leaves; the history itself may not be read by services. */
async function readApplied(reader: SchemaReader): Promise<ReadonlySet<string>> {
  const [view] = await reader.$queryRawUnsafe<{ exists: boolean }[]>(
    `SELECT to_regclass('applied_migrations') IS NOT NULL AS "exists"`,
  )
  if (view?.exists !== true) return new Set()
  const rows = await reader.$queryRawUnsafe<{ name: string }[]>('SELECT name FROM applied_migrations')
  return new Set(rows.map(({ name }) => name))
}
