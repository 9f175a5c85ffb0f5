import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { migrationSql, readMigrations } from './migration-files.js'
import { ALL_TABLES, openSchemaEngine, type OpenEngine } from './schema-engine.js'
import { createServiceRole, grantTables, serviceRole } from './service-role.js'
import { SERVICES, type Service } from './services.js'
import { dropUnfinishedIndexes } from './unfinished-indexes.js'

export interface MigrateOptions {
  /** Of a role that may create roles and schemas; it owns the tables. Secret. */
  readonly adminUrl: string
  /** The URL that each service connects with: its user and password become its role. Secret. */
  readonly services: Partial<Readonly<Record<Service, { readonly url: string }>>>
  /** Receives the progress, one line at a time, without secrets. */
  readonly log?: (line: string) => void
  /** Waiting for tables that other programs use, such as a backup or an import (default: some minutes). */
  readonly patience?: Patience
  /** Holds `<service>/migrations`; (default: this package's folder). */
  readonly directory?: string
}

/** Waiting for a table: a migration tries for a moment, lets others have it, and tries again. */
export interface Patience {
  /** Time for which one attempt waits, in milliseconds, and with it all later queries. */
  readonly waitMs: number
  readonly pauseMs: number
  readonly attempts: number
}

/** Look-ups that wait so long are still answered in time. */
const PATIENCE: Patience = { waitMs: 2_000, pauseMs: 5_000, attempts: 30 }
const LOCK_NOT_AVAILABLE = '55P03'

/** Key of the advisory lock that lets one program migrate at a time. Any number does, if nobody else uses it. */
export const LOCK = 6_238_117_240
/** Interval between attempts to take the lock, in milliseconds. */
const LOCK_MS = 200

const HERE = join(import.meta.dirname, '..')

/**
 * Makes a database ready for the services: for each its schema, its role, and its tables as the migrations say. Doing it
 * again changes nothing; of two programs that run concurrently, one waits for the other.
 *
 * A migration runs in one transaction. One that fails leaves nothing behind, and is tried again the next time; so is one that
 * builds an index concurrently, of which an index that is not used may stay until then.
 *
 * @throws where a migration fails, with its name and what Postgres said
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { adminUrl, services, log = () => undefined, directory = HERE, patience = PATIENCE } = options
  const roles = SERVICES.flatMap((service) => {
    const url = services[service]?.url
    return url === undefined ? [] : [serviceRole(service, url, adminUrl)]
  })
  const names = roles.map(({ role }) => role)
  if (new Set(names).size < names.length)
    throw new Error('Two services share a database role: each needs its own.')

  const admin = new pg.Client(adminUrl)
  await admin.connect()
  try {
    await takeLock(admin)
    for (const role of roles) {
      await createServiceRole(admin, role)
      const migrations = await readMigrations(join(directory, role.schema, 'migrations'))
      await dropUnfinishedIndexes(admin, role.schema, migrations)
      const apply = () => applyMigrations(adminUrl, role.schema, migrations, patience.waitMs)
      const applied = await patiently(apply, patience, log)
      await grantTables(admin, role)
      for (const migration of applied) log(`${role.schema}: applied ${migration}`)
      if (applied.length === 0) log(`${role.schema}: up to date`)
    }
  } finally {
    // Gives the lock back as well.
    await admin.end()
  }
}

/**
 * Waits without a statement that is under way: a concurrent index build waits for all running statements, and so would wait
 * for who waits for it.
 */
async function takeLock(admin: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])
    if (rows[0]?.taken) return
    await sleep(LOCK_MS)
  }
}

/** Tries again where a table could not be had in time: nothing is done by half. */
async function patiently<Result>(
  attempt: () => Promise<Result>,
  { pauseMs, attempts }: Patience,
  log: (line: string) => void,
): Promise<Result> {
  for (let left = attempts - 1; ; left--)
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Error) || !isLockTimeout(error.cause)) throw error
      if (left <= 0)
        throw new Error(
          `${error.message}. A table that it changes is in use: by a backup, an import or an open transaction (see pg_stat_activity). Nothing was applied. Run this again when the other work has ended.`,
          { cause: error },
        )
      log(`${error.message}; trying again`)
      await sleep(pauseMs)
    }
}

function isLockTimeout(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE
}

async function applyMigrations(
  adminUrl: string,
  schema: string,
  migrations: MigrationList,
  lockMs: number,
): Promise<string[]> {
  const opened = await openSchemaEngine(adminUrl, schema, lockMs)
  try {
    await checkHistory(opened, schema, migrations)
    try {
      const { appliedMigrationNames } = await opened.engine.applyMigrations({
        migrationsList: migrations,
        filters: ALL_TABLES,
      })
      return appliedMigrationNames
    } catch (error) {
      throw await explain(error, opened, schema, migrations)
    }
  } finally {
    await opened.close()
  }
}

async function checkHistory(
  { engine }: OpenEngine,
  schema: string,
  migrationsList: MigrationList,
): Promise<void> {
  const history = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: ALL_TABLES,
  })
  const [edited] = history.editedMigrationNames
  if (edited !== undefined)
    throw new Error(
      `The migration ${edited} of ${schema} was changed after it was applied. Put it back and write a new one.`,
    )
  for (const migrationName of history.failedMigrationNames)
    await engine.markMigrationRolledBack({ migrationName })
}

/** Says which migration failed and why, and notes that it left nothing behind. */
async function explain(
  error: unknown,
  { engine, lastFailure }: OpenEngine,
  schema: string,
  migrations: MigrationList,
): Promise<unknown> {
  const failure = lastFailure()
  const name = error instanceof Error && /migration_name="([^"]+)"/.exec(error.message)?.[1]
  if (!failure || !name) return error
  await engine.markMigrationRolledBack({ migrationName: name })
  const before = migrationSql(migrations, name).slice(0, Number(failure.position ?? 0))
  const line = failure.position === undefined ? '' : ` at line ${before.split('\n').length}`
  return new Error(`The migration ${name} of ${schema} failed${line}: ${failure.message}`, { cause: failure })
}
