import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { eventually } from '@bearing/testing/eventually'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { testPools } from '../testing/test-pools.js'
import { DELETE_CONTRIBUTIONS, SweepExpiredObservations } from './sweep-expired-observations.js'

let postgres: TestDatabase
let database: pg.Client
let admin: pg.Client
beforeAll(async () => {
  postgres = await TestDatabase.create()
  database = new pg.Client(postgres.databaseUrls.location)
  await database.connect()
  const asAdmin = new URL(postgres.adminDatabaseUrl)
  asAdmin.pathname = new URL(postgres.databaseUrls.location).pathname
  admin = new pg.Client({ connectionString: asAdmin.href, options: '-c search_path=location' })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await database.end()
  await postgres.drop()
})
beforeEach(() => database.query('DELETE FROM observations'))

const NOW = new Date('2026-03-01T12:00:00Z')

/** Observations of an organization: as many as days, one for each of them, of which the oldest have no contribution any more. */
async function contribute(organizationId: string, days: number, goneAfterDays = days): Promise<void> {
  await database.query(
    `INSERT INTO observations (id, organization_id, project_id, received_at, contribution)
     SELECT gen_random_uuid(), $1, $1, $2::timestamptz - make_interval(days => day), CASE WHEN day <= $4 THEN '\\x00'::bytea END
     FROM generate_series(1, $3::int) AS day`,
    [organizationId, NOW, days, goneAfterDays],
  )
}

async function kept(organizationId: string): Promise<{ ids: number; contributions: number } | undefined> {
  const { rows } = await database.query<{ ids: number; contributions: number }>(
    'SELECT count(*)::int AS ids, count(contribution)::int AS contributions FROM observations WHERE organization_id = $1',
    [organizationId],
  )
  return rows[0]
}

it('what cannot be removed of one organization keeps nothing else from being removed, of it or of others', async () => {
  const organizations = [v7(), v7(), v7()].sort() as [string, string, string]
  for (const id of organizations) {
    await contribute(id, 400)
    await database.query(
      'INSERT INTO reference_scans SELECT $1, 1, gen_random_uuid(), $1, 0, 48, 11, 5, $3, $2::timestamptz - make_interval(days => 400)',
      [id, NOW, Buffer.alloc(0)],
    )
    await database.query('INSERT INTO reference_sets VALUES ($1, $1, 1)', [id])
  }
  const [first] = organizations
  await admin.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON observations FOR EACH ROW
      WHEN (NEW.organization_id = '${first}') EXECUTE FUNCTION refuse()`)
  const pool = new pg.Pool({ connectionString: postgres.databaseUrls.location })
  const warned: Error[] = []
  const logger = { warn: ({ err }: { err: Error }) => warned.push(err) } as unknown as Logger // all that is used of one
  const sweep = new SweepExpiredObservations(testPools(pool), new Clock(() => NOW.getTime()), logger)
  sweep.start()
  await eventually(async () => {
    for (const id of organizations) expect(await kept(id)).toEqual({ ids: 365, contributions: 365 })
  })
  await sweep.stop()
  await pool.end()
  const references = await database.query('SELECT FROM reference_scans WHERE organization_id = ANY ($1)', [
    organizations,
  ])
  expect(references.rowCount).toBe(0)
  expect(warned).toMatchObject([{ message: expect.stringContaining(first), cause: { message: 'not now' } }])
})

it('a device that comes back meanwhile keeps its track', async () => {
  const devices = [v7(), v7()]
  await database.query(
    `INSERT INTO device_scans (id, contribution, received_at)
     SELECT unnest($1::uuid[]), '', $2::timestamptz - interval '2 hours'`,
    [devices, NOW],
  )
  const [back] = devices
  await database.query('BEGIN')
  await database.query('UPDATE device_scans SET received_at = $2 WHERE id = $1', [back, NOW])
  const pool = new pg.Pool({ connectionString: postgres.databaseUrls.location })
  const logger = { warn: () => undefined } as unknown as Logger // all that is used of one
  const sweep = new SweepExpiredObservations(testPools(pool), new Clock(() => NOW.getTime()), logger)
  const left = async () => (await admin.query<{ id: string }>('SELECT id FROM device_scans')).rows
  try {
    sweep.start()
    await eventually(async () => expect(await left()).toEqual([{ id: back }]))
  } finally {
    await database.query('COMMIT')
    await sweep.stop()
    await pool.end()
  }
  expect(await left()).toEqual([{ id: back }])
})

it('of contributions that are gone nothing is read again', async () => {
  const organizationId = v7()
  await contribute(organizationId, 20_000, 10)
  await contribute(v7(), 20_000)
  await admin.query('VACUUM ANALYZE observations')
  const { rows } = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off) ${DELETE_CONTRIBUTIONS}`,
    [NOW, organizationId, 5],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/using observations_kept_idx on observations \S+ \(actual rows=5(?:\.00)? /)
  expect(plan).not.toContain('Rows Removed by Filter')
  expect(await kept(organizationId)).toEqual({ ids: 20_000, contributions: 5 })
})
