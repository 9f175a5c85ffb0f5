import { connectTo } from '@bearing/testing/connect-to'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { HeardAccessPoint } from '@bearing/contracts/location/access-points/heard-access-point'
import { Clock } from '@bearing/service/ground/clock'
import { databaseUnavailable } from '@bearing/service/ground/unavailable'
import { eventually } from '@bearing/testing/eventually'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { AccessPointCache } from '../access-points/access-point-cache.js'
import { AccessPointReader } from '../access-points/access-point-reader.js'
import { learn } from '../../learn/learn-transaction.js'
import type { Submission } from '../../learn/submission.js'
import { ReadPool } from '../../ground/read-pool.js'
import { newSearches } from '../../testing/new-searches.js'
import { Search } from '../sources/location-source.js'
import { CellReader } from '../cells/cell-reader.js'
import { WifiSource } from '../sources/wifi/wifi-source.js'
import { ReferenceScanCache } from './reference-scan-cache.js'
import { READ_SCANS, readerSettings } from './read-scans.js'
import { ReferenceThread } from './reference-thread.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))
const pool = forSuite(
  () => new pg.Pool({ connectionString: postgres.databaseUrls.location }),
  (it) => it.end(),
)
const thread = forSuite(() => newThread(postgres.databaseUrls.location))

const newThread = (databaseUrl: string, readMs = 60_000) => new ReferenceThread({ databaseUrl, readMs })

const NOW = new Date('2026-03-01T12:00:00Z')
/** Each of a radio of its own: they differ before the last digit. */
const BSSIDS = [1, 2, 3, 4].map((number) => 0x02_00_00_00_00_00 + number * 64)

interface Project {
  readonly organization_id: string
  readonly project_id: string
}
const newProject = (): Project => ({ organization_id: v7(), project_id: v7() })

/** Scans along a line, on which the signals of some access points rise and those of others fall. */
function scans({ organization_id, project_id }: Project, from: number, count: number): Submission[] {
  return Array.from({ length: count }, (_, index) => [
    {
      id: v7(),
      organizationId: organization_id,
      projectId: project_id,
      network: null,
      device: null,
      contribution: {
        lat: 48 + (from + index) * 5e-5,
        lon: 11,
        accuracyMeters: 5,
        atSeconds: NOW.getTime() / 1_000 - 600,
        readings: BSSIDS.map((bssid, number) => ({
          bssid,
          signalDbm: number % 2 === 0 ? -45 - from - index : -80 + from + index,
        })),
      },
    },
  ])
}

let nowMs = NOW.getTime()
const clock = new Clock(() => nowMs)
let failures = 0
const newCache = (own = thread) =>
  new ReferenceScanCache(new ReadPool(pool), own, clock, () => {
    failures++
  })

/** Waits until that many reference scans of a project are cached. A read that takes too long is retried, after a minute at most. */
const readAgain = (memory: ReferenceScanCache, project: Project, size: number) =>
  eventually(async () => {
    nowMs += 60_000
    expect((await memory.of(project)).references?.size).toBe(size)
  })

/** Looks a scan up by what is in the database now. */
async function lookUp(project: Project, memory = newCache()) {
  const reads = new ReadPool(pool)
  const cache = new AccessPointCache({
    organizations: 1,
    accessPoints: 10,
    ttlMs: 1_000,
    checkedTtlMs: 1_000,
  })
  const reader = new AccessPointReader(reads, cache, clock)
  const heard = BSSIDS.map((bssid, number) =>
    HeardAccessPoint.parse({
      macAddress: bssid.toString(16).padStart(12, '0'),
      signalStrength: number % 2 === 0 ? -47 : -78,
    }),
  )
  const source = new WifiSource(reader, memory, newSearches(clock), new CellReader(reads))
  const search = new Search(project, { accessPoints: heard, asksProvider: false }, 68)
  const position = await source.search(search)
  if (!position) throw new Error(`not found: ${String(search.wifiFailure)}`)
  return position
}

describe('a look-up', () => {
  it('is compared with the reference scans of its project', async () => {
    const project = newProject()
    await learn(database, scans(project, 0, 20), NOW)
    const compared = await lookUp(project)
    await database.query('DELETE FROM reference_scans WHERE project_id = $1', [project.project_id])
    const alone = await lookUp(project)
    expect(alone.lat).not.toBeCloseTo(compared.lat, 7)
  })

  it('does without reference scans that cannot be read, as if there were none, and has its radius by that', async () => {
    const project = newProject()
    await learn(database, scans(project, 0, 20), NOW)
    const own = newThread(postgres.databaseUrls.location, 200)
    const memory = newCache(own)
    await database.query('BEGIN; LOCK TABLE reference_scans')
    const without = await lookUp(project, memory).finally(() => database.query('ROLLBACK'))
    await readAgain(memory, project, 20)
    const compared = await lookUp(project, memory)
    await database.query('DELETE FROM reference_scans WHERE project_id = $1', [project.project_id])
    expect(await lookUp(project)).toEqual(without)
    expect(without.uncertainty).not.toBe(compared.uncertainty)
    await own.stop()
  })
})

describe('the reference scans of a project', () => {
  it('are read again a second after the notice that they have changed', async () => {
    const project = newProject()
    const memory = newCache()
    const count = async () => (await memory.of(project)).references?.size
    await learn(database, scans(project, 0, 5), NOW)
    expect(await count()).toBe(5)
    await learn(database, scans(project, 5, 3), NOW)
    nowMs += 1_000
    expect(await count()).toBe(5)
    memory.changed(project)
    nowMs += 1_000
    await eventually(async () => expect(await count()).toBe(8))
  })

  it('are read again now and then, without a notice', async () => {
    const project = newProject()
    const memory = newCache()
    const count = async () => (await memory.of(project)).references?.size
    expect(await count()).toBeUndefined()
    await learn(database, scans(project, 0, 4), NOW)
    nowMs += 15_000
    await eventually(async () => expect(await count()).toBe(4))
  })
})

/** Waits until somebody reads reference scans, and is blocked by a lock. */
const isBeingRead = () =>
  eventually(async () => {
    const { rows } = await database.query(
      `SELECT FROM pg_locks WHERE NOT granted AND relation = 'reference_scans'::regclass
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    expect(rows).toHaveLength(1)
  })

it('the reference scans of a project are refused to an organization that it does not belong to, also once they are cached', async () => {
  const project = newProject()
  const memory = newCache()
  await learn(database, scans(project, 0, 5), NOW)
  expect((await memory.of(project)).references?.size).toBe(5)
  const other = { ...project, organization_id: v7() }
  for (const asked of [memory, newCache()])
    await expect(asked.of(other)).rejects.toMatchObject({ code: 'project_not_found' })
  expect((await memory.of(project)).references?.size).toBe(5)
})

describe('reference scans that cannot be read', () => {
  it('are tried again after a second, then after longer, and not by each look-up', async () => {
    const project = newProject()
    await learn(database, scans(project, 0, 6), NOW)
    const own = newThread(postgres.databaseUrls.location, 100)
    const memory = newCache(own)
    failures = 0
    await database.query('BEGIN; LOCK TABLE reference_scans')
    try {
      for (const [afterMs, tries] of [
        [0, 1],
        [999, 1],
        [1, 2],
        [1_999, 2],
        [1, 3],
        [3_999, 3],
        [1, 4],
      ] as const) {
        nowMs += afterMs
        // Somebody reports all the time that they have changed.
        memory.changed(project)
        for (let lookUps = 0; lookUps < 5; lookUps++)
          expect((await memory.of(project)).references).toBeUndefined()
        await eventually(() => expect(failures).toBe(tries))
        await sleep(150)
        expect(failures).toBe(tries)
      }
    } finally {
      await database.query('ROLLBACK')
    }
    await readAgain(memory, project, 6)
    await own.stop()
  })

  it('because those of another project take long are done without', async () => {
    const [slow, quick] = [newProject(), newProject()]
    for (const project of [slow, quick]) await learn(database, scans(project, 0, 6), NOW)
    const own = newThread(postgres.databaseUrls.location)
    const memory = newCache(own)
    await database.query('BEGIN; LOCK TABLE reference_scans')
    try {
      void memory.of(slow)
      await isBeingRead()
      expect((await memory.of(quick)).references).toBeUndefined()
    } finally {
      await database.query('ROLLBACK')
    }
    nowMs += 1_000
    await eventually(async () => expect((await memory.of(quick)).references?.size).toBe(6))
    await own.stop()
  })
})

describe('the latest reference scans', () => {
  it('of a project with many are read without the others, though most projects have few', async () => {
    const project = newProject()
    await database.query(
      `INSERT INTO reference_scans (project_id, cell, id, organization_id, at_seconds, lat, lon, accuracy, readings, received_at)
       SELECT project, number, md5(project::text || number)::uuid, $2, hashint4(number), 48, 11, 5, '', now()
       FROM (SELECT $1::uuid AS project, generate_series(1, 60000) AS number
         UNION ALL SELECT md5(few::text)::uuid, generate_series(1, 10) FROM generate_series(1, 2000) AS few)`,
      [project.project_id, project.organization_id],
    )
    await database.query('ANALYZE reference_scans')
    const reader = new pg.Pool(readerSettings(postgres.databaseUrls.location, 60_000))
    const explained = await reader.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS off, TIMING off) ${READ_SCANS.text}`,
      [project.project_id, project.organization_id],
    )
    await reader.end()
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Scan Backward using \w*at_seconds_idx on reference_scans \(actual rows=20000/)
    expect(plan).not.toContain('Sort')
    await database.query('DELETE FROM reference_scans WHERE organization_id = $1', [project.organization_id])
  })
})

describe('a thread that indexes', () => {
  /** As soon as it has begun. */
  async function begun(own: ReferenceThread): Promise<Worker> {
    for (;;) {
      const { worker } = own as unknown as { worker: Worker | undefined } // nobody else has to reach it
      if (worker) return worker
      await nextTurn()
    }
  }

  it('that ends leaves a first look-up without reference scans; the next one has another', async () => {
    const project = newProject()
    await learn(database, scans(project, 0, 6), NOW)
    const own = newThread(postgres.databaseUrls.location)
    const memory = newCache(own)
    // It cannot be done before it is ended.
    await database.query('BEGIN; LOCK TABLE reference_scans')
    try {
      const first = memory.of(project)
      await (await begun(own)).terminate()
      expect((await first).references).toBeUndefined()
    } finally {
      await database.query('ROLLBACK')
    }
    nowMs += 1_000
    await eventually(async () => expect((await memory.of(project)).references?.size).toBe(6))
    await own.stop()
  })

  it('that ends leaves what is cached as it is', async () => {
    const project = newProject()
    await learn(database, scans(project, 0, 6), NOW)
    const own = newThread(postgres.databaseUrls.location)
    const memory = newCache(own)
    expect((await memory.of(project)).references?.size).toBe(6)
    await learn(database, scans(project, 6, 2), NOW)
    await (await begun(own)).terminate()
    nowMs += 15_000
    const count = async () => (await memory.of(project)).references?.size
    expect(await count()).toBe(6)
    await eventually(async () => expect(await count()).toBe(8))
    await own.stop()
  })

  it('says what the driver said, where the database is away', async () => {
    const own = newThread('postgres://nobody@127.0.0.1:1/nothing')
    const error = await own.index(newProject()).catch((caught: unknown) => caught)
    expect(databaseUnavailable(error)).toMatchObject({ code: 'service_unavailable' })
    await own.stop()
  })

  it('can be stopped whatever it is doing, and takes nothing up any more', async () => {
    const project = newProject()
    await learn(database, scans(project, 0, 6), NOW)
    const own = newThread(postgres.databaseUrls.location)
    const outcomes = [own.index(project), own.index(project)].map((each) =>
      expect(each).rejects.toMatchObject({ code: 'service_unavailable' }),
    )
    await begun(own)
    await own.stop()
    await Promise.all(outcomes)
  })
})
