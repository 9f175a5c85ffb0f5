import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type Postgres } from '@bearing/local/postgres'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { migrate } from './migrate.js'

// Version N-1 has all chunks in the table `chunks`. Its statements are those of the version before the migrations.

const FIRST = '20261129080000_chunk_and_time_key'
const DAY_MS = 86_400_000
/** Midnight (UTC) of today and the days after. */
const dayOf = (days: number) =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString()
const idOf = (version: 7 | 8, number: number, part = 0) =>
  `${number.toString(16).padStart(8, '0')}-0000-${String(version)}000-8000-000000000${part.toString(16).padStart(3, '0')}`
const [ORGANIZATION, PROJECT, OTHER, DEVICE, OTHER_DEVICE] = [1, 2, 3, 4, 5].map((n) => idOf(7, n))

let home: string
let postgres: Postgres
let service: pg.Client
let admin: pg.Client
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bearing-device-chunks-'))
  postgres = await startPostgres({ directory: join(home, 'pg'), password: 'admin', durable: false })
  const present = join(import.meta.dirname, '..', 'management', 'migrations')
  const former = join(home, 'former', 'management', 'migrations')
  await cp(present, former, { recursive: true })
  for (const name of await readdir(former))
    if (name >= FIRST && name !== 'migration_lock.toml') await rm(join(former, name), { recursive: true })
  await run(join(home, 'former'))
  service = new pg.Client(url('management', 'secret'))
  admin = new pg.Client({ connectionString: postgres.url, options: '-c search_path=management' })
  await Promise.all([service.connect(), admin.connect()])
  await service.query(
    `INSERT INTO organizations (id, slug, name, created_at, created_by) VALUES ('${String(ORGANIZATION)}', 'o', 'o', now(), '${idOf(7, 9)}');
     INSERT INTO projects (id, organization_id, slug, name, created_at, created_by)
       SELECT id, '${String(ORGANIZATION)}', id, 'p', now(), '${idOf(7, 9)}' FROM unnest('{${String(PROJECT)},${String(OTHER)}}'::uuid[]) id;
     INSERT INTO devices (id, project_id, serial, created_at)
       VALUES ('${String(DEVICE)}', '${String(PROJECT)}', 'd', now()), ('${String(OTHER_DEVICE)}', '${String(OTHER)}', 'd', now())`,
  )
})
afterAll(async () => {
  await Promise.all([service.end(), admin.end()])
  await postgres.stop()
  await rm(home, { recursive: true })
})

function url(role: string, password: string): string {
  const made = new URL(postgres.url)
  made.username = role
  made.password = password
  return made.href
}

const run = (directory?: string) =>
  migrate({
    adminUrl: postgres.url,
    services: { management: { url: url('management', 'secret') } },
    ...(directory !== undefined && { directory }),
  })

async function rows(sql: string, values: unknown[] = []): Promise<unknown[]> {
  return (await service.query<Record<string, unknown>>(sql, values)).rows
}

const COLUMNS = 'id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data'
const STORED = `SELECT $1::uuid, d.id, d.project_id, '2026-01-01', 1, $2, $3::timestamptz, 3, '\\x010203'
  FROM devices d WHERE d.id = $4`

/** Stores a chunk as version N-1 does. @returns how many were new */
async function storeAsBefore(id: string, at: string, part = 0, device = DEVICE): Promise<number | null> {
  const sql = `INSERT INTO chunks (${COLUMNS}) ${STORED} ON CONFLICT (id) DO NOTHING`
  return (await service.query(sql, [id, part, at, device])).rowCount
}

/** Stores a chunk as this version does, with its usage. @returns how many were new */
async function store(id: string, at: string, part = 0, device = DEVICE): Promise<number | null> {
  const sql = `WITH stored AS (
      INSERT INTO device_chunks (${COLUMNS}) ${STORED} ON CONFLICT DO NOTHING RETURNING project_id, received_at, size
    ) INSERT INTO project_usage (project_id, day, bytes, chunks)
      SELECT project_id, (received_at AT TIME ZONE 'UTC')::date, sum(size), count(*) FROM stored GROUP BY 1, 2
      ON CONFLICT (project_id, day) DO UPDATE SET bytes = project_usage.bytes + excluded.bytes`
  return (await service.query(sql, [id, part, at, device])).rowCount
}

const partitions = async () =>
  (await rows('SELECT name FROM chunk_days ORDER BY first')).map((row) => (row as { name: string }).name)

const create = (at: string) => rows('SELECT * FROM create_chunk_day($1, 0)', [at])
const drop = async (name: string, at: string) =>
  (await rows('SELECT drop_chunk_day($1, $2) AS dropped', [name, at]))[0]
const nameOf = (days: number) => `device_chunks_${dayOf(days).slice(0, 10).replaceAll('-', '')}`

describe('the migration of chunks to partitions', () => {
  it('keeps the table as the first partition, with its rows where they are', async () => {
    for (let number = 1; number <= 500; number++)
      await storeAsBefore(idOf(number % 2 === 0 ? 7 : 8, number + 100), dayOf(-(number % 60)))
    const where = `SELECT pg_relation_filenode('chunks') AS file, (SELECT count(*)::int FROM chunks) AS chunks`
    const before = await admin.query(where)
    await run()
    expect((await admin.query(where)).rows).toEqual(before.rows)
    expect(await rows('SELECT count(*)::int AS chunks FROM device_chunks')).toEqual([{ chunks: 500 }])
    expect(await rows('SELECT name, first, until FROM chunk_days')).toEqual([
      { name: 'chunks', first: -Infinity, until: new Date(dayOf(8)) },
    ])
    expect(await rows('SELECT count(*)::int AS requests FROM chunk_requests')).toEqual([{ requests: 250 }])
  })

  it('lets the former version store, read and delete beside this one for a week, each chunk once', async () => {
    const [one, two] = [idOf(7, 1_000), idOf(7, 1_001)]
    expect(await storeAsBefore(one, dayOf(0))).toBe(1)
    expect(await store(one, dayOf(0))).toBe(0)
    expect(await store(two, dayOf(7))).toBe(1)
    expect(await storeAsBefore(two, dayOf(7))).toBe(0)
    for (const table of ['chunks', 'device_chunks'])
      expect(await rows(`SELECT id FROM ${table} WHERE id = ANY ($1) ORDER BY id`, [[one, two]])).toEqual([
        { id: one },
        { id: two },
      ])
    const gone = await service.query('DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id = $1)', [
      one,
    ])
    expect(gone.rowCount).toBe(1)
    await expect(rows('DELETE FROM devices WHERE id = $1', [DEVICE])).rejects.toMatchObject({ code: '23001' })
  })

  it('refuses what the former version stores after that, as what becomes a dead letter', async () => {
    await expect(storeAsBefore(idOf(7, 1_002), dayOf(8))).rejects.toMatchObject({ code: '23514' })
  })
})

describe('a request that is repeated with its Idempotency-Key', () => {
  it.each([
    ['by the former version', -1, 0, storeAsBefore, storeAsBefore],
    ['by this version after the former', 0, 1, storeAsBefore, store],
    ['by the former version after this one', 0, 1, store, storeAsBefore],
    ['in another partition', 2, 20, storeAsBefore, store],
    ['in the default partition', 30, 31, store, store],
  ])('is stored once %s', async (name, first, later, storeFirst, storeAgain) => {
    const number = 2_000 + name.length
    const parts = [0, 1, 2]
    for (const part of parts) expect(await storeFirst(idOf(8, number, part), dayOf(first), part)).toBe(1)
    for (const part of parts) expect(await storeAgain(idOf(8, number, part), dayOf(later), part)).toBe(0)
    // The same message once more.
    for (const part of parts) expect(await storeAgain(idOf(8, number, part), dayOf(first), part)).toBe(0)
    const stored = await rows('SELECT received_at FROM device_chunks WHERE id = ANY ($1)', [
      parts.map((part) => idOf(8, number, part)),
    ])
    expect(stored).toEqual(parts.map(() => ({ received_at: new Date(dayOf(first)) })))
  })

  it('of before the migration is stored once after it', async () => {
    expect(await store(idOf(8, 101), dayOf(40))).toBe(0)
  })

  it('is stored once by two processes at the same moment', async () => {
    const other = new pg.Client(url('management', 'secret'))
    await other.connect()
    await service.query('BEGIN')
    expect(await store(idOf(8, 3_000), dayOf(41))).toBe(1)
    const sql = `INSERT INTO device_chunks (${COLUMNS}) ${STORED} ON CONFLICT DO NOTHING`
    const again = other.query(sql, [idOf(8, 3_000), 0, dayOf(42), DEVICE])
    await service.query('COMMIT')
    expect((await again).rowCount).toBe(0)
    await other.end()
  })
})

describe('a day of chunks', () => {
  it('is created once by several processes, with what the default partition has of it', async () => {
    await store(idOf(7, 4_000), dayOf(50))
    const others = await Promise.all(
      [1, 2].map(async () => {
        const client = new pg.Client(url('management', 'secret'))
        await client.connect()
        return client
      }),
    )
    const before = await partitions()
    for (let missing = true; missing;) {
      const created = await Promise.all(
        [service, ...others].map((client) =>
          client.query<{ name: string; moved: bigint }>('SELECT * FROM create_chunk_day($1, 0)', [dayOf(51)]),
        ),
      )
      missing = created.some(({ rowCount }) => rowCount === 1)
    }
    expect(await partitions()).toEqual(
      [...before, ...[30, 41, 50, 51].map(nameOf)].toSorted((a, b) => (a < b ? -1 : 1)),
    )
    expect(await rows('SELECT count(*)::int AS chunks FROM device_chunks_default')).toEqual([{ chunks: 0 }])
    expect(await rows(`SELECT id FROM ${nameOf(50)}`)).toEqual([{ id: idOf(7, 4_000) }])
    await Promise.all(others.map((client) => client.end()))
  })

  it('is dropped when the retention of all projects that have chunks in it has passed it, and usage is exact', async () => {
    await store(idOf(7, 4_001), dayOf(50), 0, OTHER_DEVICE)
    await rows(
      `INSERT INTO data_policies (project_id, retention_days, changed_at) VALUES ($1, 1, now()), ($2, 3, now())`,
      [PROJECT, OTHER],
    )
    const after = (days: number, ms = 0) => new Date(Date.parse(dayOf(51 + days)) + ms).toISOString()
    expect(await drop(nameOf(50), after(1))).toEqual({ dropped: false })
    await rows('UPDATE data_policies SET retention_days = NULL WHERE project_id = $1', [OTHER])
    expect(await drop(nameOf(50), after(1_000))).toEqual({ dropped: false })
    await rows('UPDATE data_policies SET retention_days = 3 WHERE project_id = $1', [OTHER])
    expect(await drop(nameOf(50), after(3, -1))).toEqual({ dropped: false })
    expect(await drop(nameOf(50), after(3))).toEqual({ dropped: true })
    expect(await partitions()).not.toContain(nameOf(50))
    expect(
      await rows('SELECT (bytes - deleted_bytes)::int AS stored FROM project_usage WHERE day = $1', [
        dayOf(50).slice(0, 10),
      ]),
    ).toEqual([{ stored: 0 }, { stored: 0 }])
  })

  it('waits at most a second for a reader, and is dropped the next time', async () => {
    await create(dayOf(60))
    await admin.query('BEGIN; SELECT count(*) FROM device_chunks')
    const begin = performance.now()
    await expect(drop(nameOf(60), dayOf(62))).rejects.toMatchObject({ code: '55P03' })
    await expect(create(dayOf(61))).rejects.toMatchObject({ code: '55P03' })
    expect(performance.now() - begin).toBeLessThan(4_000)
    await admin.query('COMMIT')
    expect(await drop(nameOf(60), dayOf(62))).toEqual({ dropped: true })
  })

  it('is not dropped before it is over, nor the first partition while it has a row', async () => {
    await create(dayOf(70))
    expect(await drop(nameOf(70), dayOf(70))).toEqual({ dropped: false })
    expect(await drop('chunks', dayOf(1_000))).toEqual({ dropped: false })
    expect(await drop('projects', dayOf(1_000))).toEqual({ dropped: false })
  })

  it('is created within the time of a statement although the default partition has 30,000 chunks of it', async () => {
    await service.query(
      `INSERT INTO device_chunks (${COLUMNS})
       SELECT gen_random_uuid(), $1, $2, now(), n, 0, $3, 3, '\\x010203' FROM generate_series(1, 30000) n`,
      [DEVICE, PROJECT, dayOf(80)],
    )
    await service.query(`SET statement_timeout = '4s'`)
    expect(await create(dayOf(80))).toEqual([{ name: nameOf(80), moved: '30000' }])
    await service.query('RESET statement_timeout')
  })

  it('is judged without reading it, if another project has all of its chunks', async () => {
    await admin.query(`ANALYZE ${nameOf(80)}`)
    await rows(`INSERT INTO project_usage (project_id, day, bytes, chunks) VALUES ($1, $2, 90000, 30000)`, [
      PROJECT,
      dayOf(80).slice(0, 10),
    ])
    const pagesOf = async () => {
      const { rows: plans } = await admin.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT is_chunk_day_kept('${nameOf(80)}', '${dayOf(90)}')`,
      )
      const { 'Shared Hit Blocks': hit = NaN, 'Shared Read Blocks': read = NaN } =
        plans[0]?.['QUERY PLAN'][0].Plan ?? {}
      return hit + read
    }
    // The first time the connection reads the catalog, too. The partition has more than 400 pages.
    await pagesOf()
    expect(await pagesOf()).toBeLessThan(200)
    expect(await drop(nameOf(80), dayOf(90))).toEqual({ dropped: true })
  })

  it('cannot be created with tables of the service in the place of the real ones', async () => {
    await rows('CREATE TEMPORARY TABLE device_chunks_default (received_at timestamptz, marker int)')
    await create(dayOf(71))
    expect(await partitions()).toContain(nameOf(71))
    await rows('DROP TABLE pg_temp.device_chunks_default')
  })
})
