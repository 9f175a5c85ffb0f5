import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres, type Postgres } from '@bearing/local/postgres'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { migrate } from './migrate.js'
import { SERVICES } from './services.js'

// Guarantees that deployments rely on (docs/kubernetes.md, docs/upgrading.md), with the migrations of this version.

let home: string
let postgres: Postgres
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bearing-deployments-'))
  postgres = await startPostgres({ directory: join(home, 'pg'), password: 'admin', durable: false })
  await query(postgres.url, `CREATE ROLE bearing_owner LOGIN CREATEROLE PASSWORD 'owner'`)
  await query(postgres.url, 'CREATE DATABASE bearing OWNER bearing_owner')
})
afterAll(async () => {
  await postgres.stop()
  await rm(home, { recursive: true })
})

async function query(where: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

function url(role: string, password: string, database = 'bearing'): string {
  const made = new URL(`/${database}`, postgres.url)
  made.username = role
  made.password = password
  return made.href
}

/** @returns what the program logs */
async function run(directory?: string): Promise<string[]> {
  const lines: string[] = []
  await migrate({
    adminUrl: url('bearing_owner', 'owner'),
    services: Object.fromEntries(SERVICES.map((service) => [service, { url: url(service, 'secret') }])),
    log: (line) => lines.push(line),
    ...(directory !== undefined && { directory }),
  })
  return lines
}

describe('the migration program', () => {
  it('works as the owner of the database who may create roles, without a superuser', async () => {
    await run()
    expect(await run()).toEqual(SERVICES.map((service) => `${service}: up to date`))
    for (const service of SERVICES) {
      const [row] = await query(url(service, 'secret'), 'SELECT count(*)::int AS waiting FROM outbox')
      expect(row).toEqual({ waiting: 0 })
    }
  })

  it('makes a database for each service alone, which has the tables of no other one', async () => {
    const program = join(import.meta.dirname, '..', 'dist', 'main.js')
    for (const service of SERVICES) {
      const database = `only_${service}`
      await query(postgres.url, `CREATE DATABASE ${database} OWNER bearing_owner`)
      const own = url(`${service}_alone`, 'secret', database)
      const env = {
        DATABASE_URL: url('bearing_owner', 'owner', database),
        [`${service.toUpperCase()}_DATABASE_URL`]: own,
      }
      const { stdout } = await promisify(execFile)(process.execPath, [program, service], { env })
      expect(stdout).toContain(`${service}: applied`)
      const schemas = await query(
        own,
        `SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('identity', 'management', 'location')`,
      )
      expect(schemas).toEqual([{ name: service }])
      expect(await query(own, 'SELECT count(*)::int AS waiting FROM outbox')).toEqual([{ waiting: 0 }])
    }
    const wrong = promisify(execFile)(process.execPath, [program, 'identity', 'gateway'], { env: {} })
    await expect(wrong).rejects.toThrow('There is no service gateway, only identity, management, location.')
  })

  it('of an older version accepts the tables of a newer one, and changes nothing', async () => {
    await run()
    const older = join(home, 'older')
    for (const service of SERVICES) {
      const folder = join(service, 'migrations')
      await cp(join(import.meta.dirname, '..', folder), join(older, folder), { recursive: true })
      const names = (await readdir(join(older, folder), { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted()
      await rm(join(older, folder, names.at(-1) ?? ''), { recursive: true })
    }
    expect(await run(older)).toEqual(SERVICES.map((service) => `${service}: up to date`))
    expect(await run()).toEqual(SERVICES.map((service) => `${service}: up to date`))
  })
})
