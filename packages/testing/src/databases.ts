import { connectTo } from './connect-to.js'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '@bearing/prisma/migrate'
import pg from 'pg'
import { SERVICES, type ServiceName } from './addresses.js'

/** Password of the service roles. They exist on a Postgres that only this run of the tests reaches. */
const ROLE_PASSWORD = 'of-a-test'

/** A database, and who reaches it. */
export interface Database {
  readonly name: string
  readonly adminUrl: string
  readonly serviceUrls: Readonly<Record<ServiceName, string>>
}

/** Makes a database without tables. @param serverUrl of the superuser, on any database */
export async function createEmptyDatabase(serverUrl: string): Promise<Database> {
  const database = describe(serverUrl, newName())
  await withAdmin(serverUrl, (admin) => admin.query(`CREATE DATABASE ${database.name}`))
  return database
}

/**
 * Makes a database with all tables.
 *
 * @param serverUrl of the superuser, on any database
 */
export async function createMigratedDatabase(serverUrl: string): Promise<Database> {
  const database = await createEmptyDatabase(serverUrl)
  await migrateDatabase(database, SERVICES)
  return database
}

/**
 * Applies the migrations of services to a database.
 *
 * @param directory holds `<service>/migrations` (default: those of this version)
 */
export async function migrateDatabase(
  { adminUrl, serviceUrls }: Database,
  services: readonly ServiceName[],
  directory?: string,
): Promise<void> {
  await migrate({
    adminUrl,
    services: Object.fromEntries(services.map((service) => [service, { url: serviceUrls[service] }])),
    ...(directory !== undefined && { directory }),
  })
}

/** Copies a migrated database on the same server: much faster than migrating one. */
export async function copyDatabase(serverUrl: string, template: string): Promise<Database> {
  const database = describe(serverUrl, newName())
  await withAdmin(serverUrl, async (admin) => {
    await copy(admin, database.name, template)
    // Settings of roles belong to the server and are not copied with the database.
    for (const service of SERVICES)
      await admin.query(`ALTER ROLE ${service} IN DATABASE ${database.name} SET search_path = ${service}`)
  })
  return database
}

/**
 * Drops a database. Postgres waits some seconds for those who are still connected: a pool says that it has ended before its
 * connections have. A connection that stays longer is closed.
 */
export async function dropDatabase(serverUrl: string, { name }: Database): Promise<void> {
  await withAdmin(serverUrl, async (admin) => {
    const drop = `DROP DATABASE IF EXISTS ${name}`
    await admin.query(drop).catch(() => admin.query(`${drop} WITH (FORCE)`))
  })
}

const ATTEMPTS = 50

async function copy(admin: pg.Client, name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
      return
    } catch (error) {
      // 55006: somebody is connected to the template, such as autovacuum.
      if (!(error instanceof pg.DatabaseError) || error.code !== '55006' || attempt === ATTEMPTS) throw error
      await sleep(100)
    }
  }
}

function describe(serverUrl: string, name: string): Database {
  const url = (user?: string) => {
    const made = new URL(serverUrl)
    made.pathname = `/${name}`
    if (user !== undefined) {
      made.username = user
      made.password = ROLE_PASSWORD
    }
    return made.href
  }
  return {
    name,
    adminUrl: url(),
    serviceUrls: { identity: url('identity'), management: url('management'), location: url('location') },
  }
}

/** Lower-case letters and digits: needs no quoting. */
function newName(): string {
  return `test_${randomBytes(6).toString('hex')}`
}

async function withAdmin<Result>(url: string, work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  await using admin = await connectTo(url)
  return await work(admin)
}
