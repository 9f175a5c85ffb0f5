import { connectTo } from '@bearing/testing/connect-to'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { eventually } from '@bearing/testing/eventually'
import { TestDatabase } from '@bearing/testing/test-database'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import pg from 'pg'
import { v7 } from 'uuid'
import { testPools } from '../testing/test-pools.js'
import { SweepExpiredObservations } from './sweep-expired-observations.js'
import { learn } from './learn-transaction.js'
import { readOwn } from './rebuild-layer.js'
import type { Submission } from './submission.js'
import { rebuild } from '../testing/rebuild.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))

/** The handler writes it down. */
const NOW = new Date('2026-03-01T12:00:00Z')
const DAY_SECONDS = 86_400

/** Scans in and around one cell, over years, of access points that others receive too. */
function submissions(organizationId: string, count: number): Submission[] {
  const projectId = v7()
  return Array.from({ length: count }, (_, index) => [
    {
      id: v7(),
      organizationId,
      projectId,
      network: null,
      device: null,
      contribution: {
        lat: 47 + (index % 3) * 1e-6,
        lon: 10 + Math.floor(index / 40) * 1e-3,
        accuracyMeters: 5 + (index % 4) * 10,
        atSeconds: NOW.getTime() / 1_000 - index * 5 * DAY_SECONDS,
        readings: [1, 2, 3].map((number) => ({
          bssid: 0x0a_00_00_00_00_00 + number,
          signalDbm: -40 - ((index * 7 + number * 5) % 60),
        })),
        cells: [1, 2].map((number) => ({
          ...{ radio: 4 as const, mcc: 262, mnc: 1, area: 7, cell: number },
          ...(index % 3 > 0 && { signalDbm: -80 - ((index * 7 + number * 5) % 60) }),
          ageMs: index % 10 === 0 ? 30_000 : 100,
        })),
      },
    },
  ])
}

async function layer(organizationId: string) {
  const known = await database.query(
    'SELECT bssid, statistics FROM learned_access_points WHERE organization_id = $1 ORDER BY bssid',
    [organizationId],
  )
  const cells = await database.query(
    'SELECT cell, statistics FROM learned_cells WHERE organization_id = $1 ORDER BY cell',
    [organizationId],
  )
  const references = await database.query(
    'SELECT id, cell, lat, lon, at_seconds, accuracy, received_at, readings FROM reference_scans WHERE organization_id = $1 ORDER BY id',
    [organizationId],
  )
  return { known: known.rows, cells: cells.rows, references: references.rows }
}

async function keep(organizationId: string, days: number): Promise<void> {
  await database.query(
    'INSERT INTO location_settings (organization_id, retention_days, updated_at) VALUES ($1, $2, now())',
    [organizationId, days],
  )
}

it('a rebuild from the stored contributions has the same statistics and reference scans, bit by bit', async () => {
  const organizationId = v7()
  const all = submissions(organizationId, 1_800)
  for (let start = 0; start < all.length; start += 100)
    await learn(database, all.slice(start, start + 100), new Date(NOW.getTime() + Math.floor(start / 1_200)))
  const before = await layer(organizationId)
  expect(before).toMatchObject({ known: [{}, {}, {}], cells: [{}, {}] })
  await database.query('UPDATE learned_access_points SET statistics = $2 WHERE organization_id = $1', [
    organizationId,
    Buffer.of(0),
  ])
  await database.query('DELETE FROM reference_scans WHERE organization_id = $1', [organizationId])
  await database.query('DELETE FROM learned_cells WHERE organization_id = $1 AND cell = 1', [organizationId])
  expect(await rebuild(database, organizationId, NOW)).toEqual({
    observations: 1_800,
    accessPoints: 3,
    cells: 2,
  })
  expect(await layer(organizationId)).toEqual(before)
})

it('a rebuild notifies the caches of reference scans, also of a project left with none', async () => {
  const organizationId = v7()
  const [one, other] = [submissions(organizationId, 3), submissions(organizationId, 3)]
  await learn(database, [...one, ...other], NOW)
  const versions = async () => {
    const { rows } = await database.query<{ version: string }>(
      'SELECT version FROM reference_sets WHERE organization_id = $1 ORDER BY project_id',
      [organizationId],
    )
    return rows.map(({ version }) => Number(version))
  }
  expect(await versions()).toEqual([1, 1])
  await database.query(
    'UPDATE observations SET contribution = NULL WHERE organization_id = $1 AND project_id = $2',
    [organizationId, one[0]?.[0]?.projectId],
  )
  await rebuild(database, organizationId, NOW)
  const [none = 0, some = 0] = await versions()
  expect(none).toBeGreaterThan(1)
  expect(some).toBeGreaterThan(1)
})

it('a project keeps 64 reference scans of a cell, those that were offered in other batches among them', async () => {
  const organizationId = v7()
  const sameCell = submissions(organizationId, 400).map(([one]) =>
    one ? [{ ...one, contribution: { ...one.contribution, lat: 46, lon: 10, accuracyMeters: 5 } }] : [],
  )
  for (let start = 0; start < sameCell.length; start += 50)
    await learn(database, sameCell.slice(start, start + 50), NOW)
  const { rows } = await database.query('SELECT at_seconds FROM reference_scans WHERE organization_id = $1', [
    organizationId,
  ])
  expect(rows).toHaveLength(64)
})

it('contributions and reference scans expire as their organization says, and the learned sums stay', async () => {
  const [short, long] = [v7(), v7()]
  await keep(short, 2)
  await learn(database, submissions(short, 5), NOW)
  await learn(database, submissions(long, 5), NOW)
  const known = await layer(short)
  const pool = new pg.Pool({ connectionString: postgres.databaseUrls.location })
  const after = (days: number) =>
    new SweepExpiredObservations(
      testPools(pool),
      new Clock(() => NOW.getTime() + days * DAY_SECONDS * 1_000),
      createLogger('spec', 'silent'),
    )
  const kept = async (organizationId: string) => {
    const { rows } = await database.query<{ ids: number; contributions: number }>(
      'SELECT count(*)::int AS ids, count(contribution)::int AS contributions FROM observations WHERE organization_id = $1',
      [organizationId],
    )
    return rows[0]
  }
  for (const [days, expected] of [
    [3, { ids: 5, contributions: 0 }],
    [9, { ids: 0, contributions: 0 }],
  ] as const) {
    const sweep = after(days)
    sweep.start()
    await eventually(async () => expect(await kept(short)).toEqual(expected))
    await sweep.stop()
  }
  expect(await kept(long)).toEqual({ ids: 5, contributions: 5 })
  expect(known.references).not.toEqual([])
  expect(await layer(short)).toEqual({ ...known, references: [] })
  expect((await layer(long)).references).not.toEqual([])
  const { rows } = await database.query(
    'SELECT version::int FROM reference_sets WHERE organization_id = $1',
    [short],
  )
  expect(rows).toEqual([{ version: 2 }])
  await pool.end()
})

it('reads each page of what an organization has by an index, without sorting the rest', async () => {
  const organizationId = v7()
  for (const id of [organizationId, v7()])
    await database.query(
      `INSERT INTO observations (id, organization_id, project_id, received_at, contribution)
       SELECT gen_random_uuid(), $1, $1, $2::timestamptz - make_interval(secs => second), '\\x00'::bytea
       FROM generate_series(1, 20000) AS second`,
      [id, NOW],
    )
  let plan: unknown
  const explaining = {
    query: async (asked: pg.QueryConfig) => {
      if (typeof asked !== 'string')
        plan = (await database.query({ ...asked, text: `EXPLAIN ${asked.text}` })).rows
      return database.query(asked)
    },
  }
  await database.query('BEGIN')
  await readOwn(explaining as pg.ClientBase, organizationId) // it does nothing but ask
  await database.query('ROLLBACK')
  const text = JSON.stringify(plan)
  expect(text).toMatch(/Index Scan using observations_kept_idx/)
  expect(text).not.toMatch(/Sort/)
})
