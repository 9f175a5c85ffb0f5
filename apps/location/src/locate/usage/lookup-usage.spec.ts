import { medianOf } from '@bearing/contracts/counts/histogram'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { TestDatabase } from '@bearing/testing/test-database'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { Database, openPool } from '../../ground/database.js'
import { ListLookupHours } from './list-lookup-hours.js'
import { ListLookupUsage } from './list-lookup-usage.js'
import { LookupCounts } from './lookup-counts.js'
import { SweepLookupUsage } from './sweep-lookup-usage.js'

const SILENT = createLogger('spec', 'silent')

describe('counts of look-ups', () => {
  const postgres = forSuite(() => TestDatabase.create())
  const pool = forSuite(
    () => openPool(postgres.databaseUrls.location, 4),
    (it) => it.end(),
  )
  const database = forSuite(
    () => new Database(pool),
    (it) => it.$disconnect(),
  )
  let nowMs = Date.parse('2026-01-31T23:59:59.999Z')
  const clock = new Clock(() => nowMs)
  const newCounts = () => new LookupCounts(database, clock, SILENT, new Metrics())
  const daysOf = async (organization_id: string) =>
    (await new ListLookupUsage(database).execute({ organization_id, from: '2026-01-01' })).days

  it('of several processes are added up by project, hour and outcome, also at shutdown', async () => {
    const [own, other] = [v7(), v7()]
    const [first, second, foreign] = [
      { organization_id: own, project_id: v7() },
      { organization_id: own, project_id: v7() },
      { organization_id: other, project_id: v7() },
    ]
    const processes = [newCounts(), newCounts()]
    for (const counts of processes) {
      nowMs = Date.parse('2026-01-31T23:59:59.999Z')
      counts.add(first, 'found', 30)
      counts.add(second, 'not_found')
      counts.add(foreign, 'refused')
      nowMs++
      counts.add(first, 'fallback', 2_000)
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
    const hours = new ListLookupHours(database)
    const input = { organization_id: own, project_ids: [first.project_id], from: '2026-01-31T00:00:00.000Z' }
    const none = { found: 0, fallback: 0, not_found: 0, refused: 0 }
    const { points } = await hours.execute({ ...input, step: 'hour' })
    expect(points).toMatchObject([
      { ...none, project_id: first.project_id, at: '2026-01-31T23:00:00.000Z', found: 2 },
      { ...none, project_id: first.project_id, at: '2026-02-01T00:00:00.000Z', fallback: 2 },
    ])
    const medians = points.map(({ radii }) => Math.round(medianOf(radii) ?? 0))
    expect(medians).toEqual([expect.closeTo(30, -1), expect.closeTo(2_000, -3)])
    expect((await hours.execute({ ...input, step: 'day' })).points.map(({ at }) => at)).toEqual([
      '2026-01-31T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ])
  })

  it('are written later if Postgres is away, and of an erased organization never', async () => {
    const [own, erased, project_id] = [v7(), v7(), v7()]
    const add = (organization_id: string) => {
      counts.add({ organization_id, project_id }, 'found', 30)
    }
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
    const counts = new LookupCounts(switching, clock, SILENT, new Metrics())
    add(own)
    counts.add({ organization_id: erased, project_id: v7() }, 'found')
    isAway = true
    await expect(counts.write()).rejects.toThrow()
    add(own)
    // Still away when the day ends: the same hour is in two parts.
    nowMs += 24 * 3_600_000
    add(own)
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
      await pool.query(
        `INSERT INTO lookup_hours (organization_id, project_id, hour, found, radii) VALUES ($1, $1, $2, 1, '{}')`,
        [own, day],
      )
    nowMs = Date.parse('2026-05-01T12:00:00Z')
    await new SweepLookupUsage(database, clock, SILENT).sweep()
    expect((await daysOf(own)).map(({ day }) => day)).toEqual(['2026-05-01'])
  })
})
