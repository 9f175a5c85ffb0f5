import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { TestDatabase } from '@bearing/testing/test-database'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { v7 } from 'uuid'
import { Database, openPool } from '../../ground/database.js'
import { ListLookupUsage } from './list-lookup-usage.js'
import { LookupCounts } from './lookup-counts.js'
import { SweepLookupUsage } from './sweep-lookup-usage.js'

const SILENT = createLogger('spec', 'silent')

describe('counts of look-ups', () => {
  let postgres: TestDatabase
  let pool: pg.Pool
  let database: Database
  let nowMs = Date.parse('2026-01-31T23:59:59.999Z')
  const clock = new Clock(() => nowMs)
  const newCounts = () => new LookupCounts(database, clock, SILENT)
  const daysOf = async (organization_id: string) =>
    (await new ListLookupUsage(database).execute({ organization_id, from: '2026-01-01' })).days

  beforeAll(async () => {
    postgres = await TestDatabase.create()
    pool = openPool(postgres.databaseUrls.location, 4)
    database = new Database(pool)
  })

  afterAll(async () => {
    await database.$disconnect()
    await pool.end()
    await postgres.drop()
  })

  it('of several processes are added up by organization, day (UTC) and outcome, also at shutdown', async () => {
    const [own, other] = [v7(), v7()]
    const processes = [newCounts(), newCounts()]
    for (const counts of processes) {
      nowMs = Date.parse('2026-01-31T23:59:59.999Z')
      counts.add(own, 'found')
      counts.add(own, 'not_found')
      counts.add(other, 'refused')
      nowMs++
      counts.add(own, 'fallback')
    }
    // Both write at the same time, more than once.
    await Promise.all(processes.map((counts) => counts.write().then(() => counts.onModuleDestroy())))
    expect(await daysOf(own)).toEqual([
      { day: '2026-01-31', found: 2, fallback: 0, not_found: 2, refused: 0 },
      { day: '2026-02-01', found: 0, fallback: 2, not_found: 0, refused: 0 },
    ])
    expect(await daysOf(other)).toEqual([
      { day: '2026-01-31', found: 0, fallback: 0, not_found: 0, refused: 2 },
    ])
  })

  it('are written later if Postgres is away, and of an erased organization never', async () => {
    const [own, erased] = [v7(), v7()]
    await pool.query(
      `INSERT INTO erased_tenants (organization_id, project_id, erased_at) VALUES ($1, $2, now())`,
      [erased, WHOLE_ORGANIZATION],
    )
    // Nobody listens there.
    const nowhere = openPool('postgres://nobody@127.0.0.1:1/none', 1)
    const unreachable = new Database(nowhere)
    let isAway = false
    const switching = new Proxy(database, {
      get: (_, name: keyof Database) => Reflect.get(isAway ? unreachable : database, name) as unknown,
    })
    const counts = new LookupCounts(switching, clock, SILENT)
    counts.add(own, 'found')
    counts.add(erased, 'found')
    isAway = true
    await expect(counts.write()).rejects.toThrow()
    counts.add(own, 'found')
    // Still away when the day ends: the same day is in two parts.
    nowMs += 24 * 3_600_000
    counts.add(own, 'found')
    isAway = false
    await counts.write()
    await counts.write()
    expect(await daysOf(own)).toMatchObject([{ found: 2 }, { found: 1 }])
    expect(await daysOf(erased)).toEqual([])
    await unreachable.$disconnect()
    await nowhere.end()
  })

  it('are deleted after 90 days', async () => {
    const own = v7()
    for (const day of ['2026-01-01', '2026-05-01'])
      await pool.query(`INSERT INTO lookup_usage VALUES ($1, $2, 'found', 1)`, [own, day])
    nowMs = Date.parse('2026-05-01T12:00:00Z')
    await new SweepLookupUsage(database, clock, SILENT).sweep()
    expect((await daysOf(own)).map(({ day }) => day)).toEqual(['2026-05-01'])
  })
})
