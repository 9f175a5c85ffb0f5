import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startPostgres, type Postgres } from '@bearing/local/postgres'
import pg from 'pg'
import { migrate } from './migrate.js'
import { missingSql } from './missing-sql.js'

let home: string
let postgres: Postgres
let serverLog: string[]
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bearing-migrate-'))
  const log = (line: string) => serverLog.push(line)
  serverLog = []
  const settings = { log_statement: 'all' }
  postgres = await startPostgres({
    directory: join(home, 'pg'),
    password: 'admin',
    durable: false,
    settings,
    log,
  })
})
afterAll(async () => {
  await postgres.stop()
  await rm(home, { recursive: true })
})

let database = 0
let adminUrl: string
let directory: string
beforeEach(async () => {
  database++
  await query(postgres.url, `CREATE DATABASE test${database}`)
  adminUrl = new URL(`/test${database}`, postgres.url).href
  directory = join(home, `prisma${database}`)
})

function url(role: string, password = `${role}-p'w`): string {
  const made = new URL(adminUrl)
  made.username = role
  made.password = encodeURIComponent(password)
  return made.href
}
const services = () => ({ identity: { url: url('identity') }, location: { url: url('location') } })
const run = (log?: (line: string) => void) =>
  migrate({ adminUrl, services: services(), directory, ...(log && { log }) })

async function write(service: string, name: string, sql: string): Promise<void> {
  const folder = join(directory, service, 'migrations', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'migration.sql'), sql)
}

async function query(where: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const TABLE = 'CREATE TABLE "thing" ("id" SERIAL PRIMARY KEY, "name" TEXT NOT NULL);\n'

const INDEX = `-- Writers continue.\nCREATE INDEX CONCURRENTLY "thing_name_idx" ON "thing"("name");\n`
const validIndexes = () =>
  query(
    adminUrl,
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'identity.thing_name_idx'::regclass`,
  )

describe('migrate', () => {
  it('applies what is new, once, and says so', async () => {
    await write('identity', '20260101000000_first', TABLE)
    const log: string[] = []
    await run((line) => log.push(line))
    await write('identity', '20260102000000_second', 'ALTER TABLE "thing" ADD COLUMN "size" INT;')
    await run((line) => log.push(line))
    await run((line) => log.push(line))
    expect(log).toEqual([
      'identity: applied 20260101000000_first',
      'location: up to date',
      'identity: applied 20260102000000_second',
      'location: up to date',
      'identity: up to date',
      'location: up to date',
    ])
  })

  it('can run several times concurrently', async () => {
    await write('identity', '20260101000000_first', `${TABLE} SELECT pg_sleep(0.2);`)
    await write('location', '20260101000000_first', TABLE)
    const other = `${adminUrl}b`
    await query(postgres.url, `CREATE DATABASE test${database}b`)
    const elsewhere = Object.fromEntries(
      Object.entries(services()).map(([name, service]) => [
        name,
        { url: service.url.replace(/\d+$/, '$&b') },
      ]),
    )
    const here = [run(), run(), run()]
    const there = [1, 2].map(() => migrate({ adminUrl: other, services: elsewhere, directory }))
    await Promise.all([...here, ...there])
    expect(await query(url('identity'), 'SELECT count(*)::int AS things FROM thing')).toEqual([{ things: 0 }])
  })

  it('builds an index beside writers, in several concurrent runs', async () => {
    await write('identity', '20260101000000_first', TABLE)
    await run()
    await write('identity', '20260102000000_index', INDEX)
    // A writer keeps the build waiting until the others wait as well.
    const writer = new pg.Client(adminUrl)
    await writer.connect()
    await writer.query(`BEGIN; INSERT INTO identity.thing (name) VALUES ('a')`)
    const all = Promise.all([run(), run(), run()])
    await sleep(1_000)
    await writer.query('COMMIT')
    await all
    await writer.end()
    expect(await validIndexes()).toEqual([{ valid: true }])
  })

  it('rebuilds an index whose build failed', async () => {
    await write('identity', '20260101000000_first', `${TABLE} INSERT INTO thing (name) VALUES ('a'), ('a');`)
    await write('identity', '20260102000000_index', INDEX.replace('INDEX', 'UNIQUE INDEX'))
    await expect(run()).rejects.toThrow(/20260102000000_index of identity failed: could not create/)
    expect(await validIndexes()).toEqual([{ valid: false }])
    await query(adminUrl, 'DELETE FROM identity.thing WHERE id = 2')
    await run()
    expect(await validIndexes()).toEqual([{ valid: true }])
  })

  it('gives a service its own rows, and nothing else', async () => {
    await write('identity', '20260101000000_first', TABLE)
    await write('location', '20260101000000_first', TABLE)
    await run()
    const sql = `INSERT INTO thing (name) VALUES ('a'); UPDATE thing SET name = 'b'; SELECT name FROM thing`
    await query(url('identity'), sql)
    await query(url('identity'), 'DELETE FROM thing; CREATE TEMPORARY TABLE mine (id INT)')
    const refused = [
      'SELECT * FROM location.thing',
      'DROP TABLE thing',
      'TRUNCATE thing',
      'CREATE TABLE mine (id INT)',
      'CREATE TABLE public.mine (id INT)',
      'SELECT * FROM identity._prisma_migrations',
    ]
    for (const statement of refused)
      await expect(query(url('identity'), statement)).rejects.toThrow(/permission denied|must be owner/)
  })

  it('takes over a new password, and never shows one', async () => {
    await run()
    await migrate({ adminUrl, services: { identity: { url: url('identity', 'another') } }, directory })
    expect(await query(url('identity', 'another'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await expect(query(url('identity'), 'SELECT 1')).rejects.toThrow(/authentication failed/)
    // The server may be a moment behind with what it writes down.
    while (!serverLog.some((line) => line.includes('authentication failed'))) await sleep(10)
    expect(serverLog.join('\n')).toContain('ROLE "identity" LOGIN')
    expect(serverLog.join('\n')).not.toContain('another')
  })

  it('leaves nothing of a migration that fails, names it, and tries it again', async () => {
    await write('identity', '20260101000000_first', TABLE)
    const function_ = `CREATE FUNCTION two() RETURNS INT AS $$ BEGIN PERFORM 1; RETURN 2; END $$ LANGUAGE plpgsql;`
    await write(
      'identity',
      '20260102000000_wrong',
      `${function_}\n\nALTER TABLE "thing" ADD "x" INT, ADD "x" INT;`,
    )
    await expect(run()).rejects.toThrow(
      'The migration 20260102000000_wrong of identity failed: column "x" of relation "thing" already exists',
    )
    await expect(query(url('identity'), 'SELECT two()')).rejects.toThrow(/does not exist/)
    await write('identity', '20260102000000_wrong', `${function_}\n\nSELECT nothing;`)
    await expect(run()).rejects.toThrow('failed at line 3: column "nothing" does not exist')
    await write('identity', '20260102000000_wrong', function_)
    await run()
    expect(await query(url('identity'), 'SELECT two()')).toEqual([{ two: 2 }])
  })

  it('holds up nobody for long where a table is in use, and is through when that has ended', async () => {
    await write('identity', '20260101000000_first', TABLE)
    await run()
    await write('identity', '20260102000000_second', 'ALTER TABLE "thing" ADD COLUMN "more" TEXT;')
    const backup = new pg.Client(adminUrl)
    await backup.connect()
    await backup.query('BEGIN; LOCK TABLE identity.thing IN ACCESS SHARE MODE')
    const log: string[] = []
    const patient = (attempts: number) =>
      migrate({
        adminUrl,
        services: services(),
        directory,
        log: (line) => log.push(line),
        patience: { waitMs: 300, pauseMs: 300, attempts },
      })
    await expect(patient(2)).rejects.toThrow(
      /20260102000000_second of identity failed.*lock timeout.*a backup, an import.*Run this again/,
    )
    const migrating = patient(1_000)
    const tries = () => log.filter((line) => line.endsWith('; trying again')).length
    // A query that waited for the whole backup would time out.
    for (const before = tries(); tries() < before + 3;) {
      await query(adminUrl, 'SELECT * FROM identity.thing')
      await sleep(20)
    }
    await backup.end()
    await migrating
    expect(log).toContain('identity: applied 20260102000000_second')
    expect(await query(adminUrl, 'SELECT more FROM identity.thing')).toEqual([])
  })

  it('refuses a migration that was changed after it was applied', async () => {
    await write('identity', '20260101000000_first', TABLE)
    await run()
    await write('identity', '20260101000000_first', `${TABLE} -- changed`)
    await expect(run()).rejects.toThrow(/20260101000000_first of identity was changed/)
  })

  it('refuses URLs that do not do, without showing them', async () => {
    const attempt = (identity: string) =>
      migrate({ adminUrl, services: { identity: { url: identity } }, directory })
    await expect(attempt('postgresql://u:hunter2@[bad')).rejects.toThrow(
      /^The database URL of identity is not/,
    )
    await expect(attempt(adminUrl)).rejects.toThrow(/names the administrator/)
    await expect(attempt(new URL('/other', url('identity')).href)).rejects.toThrow(/names another database/)
    const both = { identity: { url: url('same') }, location: { url: url('same') } }
    await expect(migrate({ adminUrl, services: both, directory })).rejects.toThrow(/share a database role/)
  })
})

describe('missingSql', () => {
  const schema = (fields: string) => `
    datasource db {
      provider = "postgresql"
    }
    model Thing {
      id Int @id
      ${fields}
      @@map("thing")
    }`

  it('leads from the migrations there are to the schema', async () => {
    const folder = join(directory, 'location')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'schema.prisma'), schema('name String @unique'))
    const first = await missingSql('location', folder)
    expect(first).toContain('CREATE TABLE "thing"')
    await write('location', '20260101000000_first', first)
    expect(await missingSql('location', folder)).toBe('')
    await writeFile(join(folder, 'schema.prisma'), schema('name String'))
    expect(await missingSql('location', folder)).toBe('-- DropIndex\nDROP INDEX "thing_name_key";\n')
  })
})
