import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '@bearing/contracts/identity/people/user'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { createEmptyDatabase, dropDatabase, migrateDatabase, type Database } from '@bearing/testing/databases'
import { eventually } from '@bearing/testing/eventually'
import { newSecrets, serviceEnvironment } from '@bearing/testing/service-environment'
import { readSharedStack, type ServiceName } from '@bearing/testing/addresses'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { startStack } from '@bearing/testing/stack'
import { folderForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { ROOT } from '../tools/root.js'

/** The promise: so soon after the migration a waiting service is ready. */
const READY_MS = 10_000
const PASSWORD = 'correct horse battery'

const directory = folderForSuite()

function wrongPassword(environment: Readonly<Record<string, string>>): Record<string, string> {
  const url = new URL(environment['LOCATION_DATABASE_URL'] ?? '')
  url.password = 'wrong'
  return { ...environment, LOCATION_DATABASE_URL: url.href }
}

/** Starts location, which needs nothing but its tables and NATS, on a database. */
async function startLocation(
  database: Database,
  change: typeof wrongPassword = (environment) => ({ ...environment }),
) {
  const { natsUrl, nkeySeeds } = readSharedStack()
  const nats = { url: natsUrl.replace(/\/\/.*@/, '//'), testUrl: natsUrl, nkeySeeds }
  const healthPort = await freePort()
  const lines: string[] = []
  const child = await startProcess({
    name: 'location',
    script: join(ROOT, 'apps', 'location', 'dist', 'main.js'),
    env: change(
      serviceEnvironment('location', healthPort, { nats, database, redisUrl: undefined, ...newSecrets() }),
    ),
    log: (line) => lines.push(line),
  })
  const readiness = async () => {
    const reply = await fetch(`http://127.0.0.1:${String(healthPort)}/readyz`)
    return { status: reply.status, body: (await reply.json()) as Record<string, string> }
  }
  return { child, lines, readiness }
}

function apply(database: Database, directory?: string): Promise<void> {
  return migrateDatabase(database, ['location'], directory)
}

async function migrationsOf(service: ServiceName): Promise<string[]> {
  const names = await readdir(join(ROOT, 'prisma', service, 'migrations'))
  return names.filter((name) => /^\d/.test(name)).sort()
}

/** Returns a folder with all migrations of location but the last one. */
async function formerMigrations(): Promise<string> {
  const folder = join(directory, 'former', 'location', 'migrations')
  await cp(join(ROOT, 'prisma', 'location', 'migrations'), folder, { recursive: true })
  await rm(join(folder, (await migrationsOf('location')).at(-1) ?? ''), { recursive: true })
  return join(directory, 'former')
}

describe('a service and its tables', () => {
  it('without its last migration it stays "starting" and takes no work, and is ready within 10 s of it', async () => {
    const { adminDatabaseUrl } = readSharedStack()
    const database = await createEmptyDatabase(adminDatabaseUrl)
    const { child, lines, readiness } = await startLocation(database)
    try {
      const isWaiting = async () => {
        expect(await readiness()).toMatchObject({
          status: 503,
          body: { phase: 'starting', nats: 'ok', schema: 'unavailable' },
        })
      }
      await eventually(isWaiting)
      await apply(database, await formerMigrations())
      // Longer than it takes to look again.
      await sleep(3_000)
      await isWaiting()
      expect((await readiness()).body).toMatchObject({ postgres: 'ok' })
      expect(lines.join('\n')).toMatch(/the schema location lacks 1 migration/)

      await apply(database)
      const appliedMs = performance.now()
      await eventually(async () => {
        expect(await readiness()).toMatchObject({ status: 200, body: { phase: 'running', schema: 'ok' } })
      })
      expect(performance.now() - appliedMs).toBeLessThan(READY_MS)
    } finally {
      await child.stop()
      await dropDatabase(adminDatabaseUrl, database)
    }
  })

  it('with a wrong password of Postgres `/readyz` names postgres, and the log has the reason', async () => {
    const { adminDatabaseUrl } = readSharedStack()
    const database = await createEmptyDatabase(adminDatabaseUrl)
    await apply(database)
    const { child, lines, readiness } = await startLocation(database, wrongPassword)
    try {
      await eventually(async () => {
        expect(await readiness()).toMatchObject({
          status: 503,
          body: { phase: 'starting', nats: 'ok', postgres: 'unavailable' },
        })
        expect(lines.join('\n')).toContain('password authentication failed')
      })
    } finally {
      await child.stop()
      await dropDatabase(adminDatabaseUrl, database)
    }
  })

  it('in a rollout whose migration has not run, the running process answers every call and the new one is not ready', async () => {
    await using stack = await startStack({ services: ['identity'], gateways: 0 })
    const admin = new pg.Client(stack.adminDatabaseUrl)
    await admin.connect()
    const rename = (from: string, to: string) =>
      admin.query('UPDATE identity._prisma_migrations SET migration_name = $2 WHERE migration_name = $1', [
        from,
        to,
      ])
    const [last = ''] = (await migrationsOf('identity')).slice(-1)
    // To the new process the tables are those of a former version.
    expect(await rename(last, 'renamed')).toMatchObject({ rowCount: 1 })
    const added = stack.addReplica('identity')
    try {
      await eventually(async () => {
        expect(await stack.readiness('identity-2')).toMatchObject({
          status: 503,
          body: { phase: 'starting', schema: 'unavailable' },
        })
      })
      for (const name of ['first', 'second', 'third', 'fourth', 'fifth'])
        await callAsOperator(createUser, { email: `${name}@example.com`, password: PASSWORD }, stack)
      expect(await stack.readiness('identity')).toMatchObject({ status: 200, body: { phase: 'running' } })
      expect(await stack.metrics('identity-2')).not.toContain('bearing_call_duration_seconds_count{')
      expect((await stack.readiness('identity-2')).status).toBe(503)
    } finally {
      await rename('renamed', last)
      await admin.end()
      await added
    }
    expect(await stack.readiness('identity-2')).toMatchObject({ status: 200, body: { phase: 'running' } })
  })

  it('on the tables of a newer version it starts, and it cannot change what it knows of them', async () => {
    const { adminDatabaseUrl } = readSharedStack()
    const database = await createEmptyDatabase(adminDatabaseUrl)
    await apply(database)
    const admin = new pg.Client(database.adminUrl)
    const service = new pg.Client(database.serviceUrls.location)
    for (const client of [admin, service]) await client.connect()
    await admin.query(
      `INSERT INTO location._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ('newer', '', '20991231235959_newer', now(), 1)`,
    )
    const { rows } = await service.query<{ name: string }>('SELECT max(name) AS name FROM applied_migrations')
    expect(rows).toEqual([{ name: '20991231235959_newer' }])
    await expect(service.query('SELECT FROM _prisma_migrations')).rejects.toMatchObject({ code: '42501' })
    await expect(service.query(`DELETE FROM applied_migrations`)).rejects.toThrow()
    const { child, readiness } = await startLocation(database)
    try {
      await eventually(async () => {
        expect((await readiness()).status).toBe(200)
      })
    } finally {
      await child.stop()
      for (const client of [admin, service]) await client.end()
      await dropDatabase(adminDatabaseUrl, database)
    }
  })
})
