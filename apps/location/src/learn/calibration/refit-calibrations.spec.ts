import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { HeardAccessPoint } from '@bearing/contracts/location/heard-access-point'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { FEATURES } from '@bearing/positioning/estimate/uncertainty'
import { Clock } from '@bearing/service/clock'
import { createLogger } from '@bearing/service/logger'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { AccessPointCache } from '../../locate/access-points/access-point-cache.js'
import { AccessPointReader } from '../../locate/access-points/access-point-reader.js'
import { Database } from '../../ground/database.js'
import { learn } from '../learn-transaction.js'
import type { Submission } from '../submission.js'
import { ReadPool } from '../../ground/read-pool.js'
import { ReferenceScanCache } from '../../locate/references/reference-scan-cache.js'
import { ReferenceThread } from '../../locate/references/reference-thread.js'
import { newSearches } from '../../specs/new-searches.js'
import { testPools } from '../../specs/test-pools.js'
import { Search } from '../../locate/sources/location-source.js'
import { CellReader } from '../../locate/cells/cell-reader.js'
import { CellArbiter } from '../../locate/sources/cell-arbiter.js'
import { WifiSource } from '../../locate/sources/wifi-source.js'
import { RefitCalibrations } from './refit-calibrations.js'
import { ShowCalibration } from './show-calibration.js'

let postgres: TestDatabase
let database: pg.Client
let pool: pg.Pool
let nats: Connection
let thread: ReferenceThread
beforeAll(async () => {
  postgres = await TestDatabase.create()
  database = new pg.Client(postgres.databaseUrls.location)
  await database.connect()
  pool = new pg.Pool({ connectionString: postgres.databaseUrls.location })
  thread = new ReferenceThread({ databaseUrl: postgres.databaseUrls.location, readMs: 60_000 })
  nats = await connectNats({ url: testStack().natsUrl, name: 'refit-spec' })
})
afterEach(async () => {
  await database.query('DELETE FROM reference_sets')
  await database.query('DELETE FROM calibrations')
})
afterAll(async () => {
  await thread.stop()
  await nats.drain()
  await pool.end()
  await database.end()
  await postgres.drop()
})

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
let nowMs = Date.parse('2026-03-01T12:00:00Z')
const clock = new Clock(() => nowMs)
const newWorker = () => new RefitCalibrations(testPools(pool), nats, clock, createLogger('spec', 'silent'))

interface Project {
  readonly organization_id: string
  readonly project_id: string
}
const newProject = (): Project => ({ organization_id: v7(), project_id: v7() })
const at = ({ x, y }: { readonly x: number; readonly y: number }) => ({
  lat: 48 + y / 111_195,
  lon: 11 + x / 74_400,
})

/** Returns what is heard in a hall with an access point each 15 m. */
function heardAt(x: number, y: number) {
  return Array.from({ length: 12 }, (_, number) => {
    const meters = Math.max(1, Math.hypot((number % 4) * 15 - x, Math.floor(number / 4) * 15 - y))
    // An error that looks random.
    const error = ((Math.round(x * 7.3) * 31 + Math.round(y * 5.1) * 17 + number * 13) % 13) - 6
    return {
      bssid: 0x02_00_00_00_00_00 + number * 0x1_00_00,
      signalDbm: Math.round(-40 - 25 * Math.log10(meters)) + error,
    }
  })
}

let scans = 0
/** Scans of which the device says that they were taken far from where they were. */
function roughScans({ organization_id, project_id }: Project, count: number): Submission[] {
  return Array.from({ length: count }, () => {
    scans++
    const [x, y] = [(scans * 7.31) % 45, (scans * 3.77) % 30]
    const off = (scans % 9) * 12 - 48
    return [
      {
        id: v7(),
        organizationId: organization_id,
        projectId: project_id,
        network: null,
        device: null,
        contribution: {
          ...at({ x: x + off, y: y + ((scans * 5) % 7) * 16 - 48 }),
          ...{ accuracyMeters: 20, atSeconds: nowMs / 1_000 - 600, readings: heardAt(x, y) },
        },
      },
    ]
  })
}

async function contribute(project: Project, count: number): Promise<void> {
  await learn(database, roughScans(project, count), clock.now())
}

function newSource(): WifiSource {
  const reads = new ReadPool(pool)
  const cache = new AccessPointCache({
    organizations: 1,
    accessPoints: 10,
    ttlMs: 1_000,
    checkedTtlMs: 1_000,
  })
  return new WifiSource(
    new AccessPointReader(reads, cache, clock),
    new ReferenceScanCache(reads, thread, clock, () => undefined),
    newSearches(clock),
    new CellArbiter(new CellReader(reads)),
    2,
  )
}

async function radius(project: Project, source = newSource()): Promise<number> {
  const heard = heardAt(20, 15).map(({ bssid, signalDbm }) =>
    HeardAccessPoint.parse({
      macAddress: bssid.toString(16).padStart(12, '0'),
      signalStrength: signalDbm,
    }),
  )
  const search = new Search(project, { accessPoints: heard, asksProvider: false }, 68)
  const position = await source.search(search)
  if (!position) throw new Error(search.wifiFailure)
  return position.uncertainty
}

function show({ organization_id }: Project) {
  return new ShowCalibration(new Database(pool)).execute({ organization_id })
}

/** As soon as it fits, which is before it has read anything to fit to. */
async function begun(worker: RefitCalibrations): Promise<void> {
  // Nobody else has to know.
  while (!(worker as unknown as { thread: unknown }).thread) await nextTurn()
}

describe('the radii of an organization', () => {
  it('are fitted to its own scans once it has enough, and used by the next look-up; nobody else’s are', async () => {
    const [rough, few] = [newProject(), newProject()]
    await contribute(rough, 400)
    await contribute(few, 199)
    const [source, before, others] = [newSource(), await radius(rough), await radius(few)]
    expect(await radius(rough, source)).toBe(before)
    await newWorker().refitAll()
    const after = await radius(rough)
    expect(Math.abs(after / before - 1)).toBeGreaterThan(0.1)
    expect(await radius(few)).toBe(others)
    expect(await show(few)).toMatchObject({ source: 'usual', fitted_at: null, held: null, needed: 200 })
    const { held, ...shown } = await show(rough)
    expect(shown).toEqual({
      ...{ source: 'own', scans: 400, outcomes: 400, needed: 200 },
      fitted_at: clock.now().toISOString(),
    })
    const miss = ({ p68, p95 }: { p68: number; p95: number } = { p68: 0, p95: 0 }) =>
      Math.abs(p68 - 0.68) + Math.abs(p95 - 0.95)
    expect(miss(held?.own)).toBeLessThan(0.8 * miss(held?.usual))
    // A process that has cached the project reads it again now and then.
    nowMs += 15_000
    await eventually(async () => expect(await radius(rough, source)).toBe(after))
  })

  it('are fitted again where a tenth is new, once an hour, and after a minute where a quarter is: a survey is still coming in', async () => {
    const project = newProject()
    await contribute(project, 250)
    const [one, other] = [newWorker(), newWorker()]
    await Promise.all([one.refitAll(), other.refitAll()])
    const fittedAt = async () => (await show(project)).fitted_at
    const first = await fittedAt()
    expect(first).not.toBeNull()
    nowMs += MINUTE_MS
    await contribute(project, 199)
    await one.refitAll()
    expect(await fittedAt()).toBe(first)
    await contribute(project, 1)
    await Promise.all([one.refitAll(), other.refitAll()])
    const second = await fittedAt()
    expect(second).toBe(clock.now().toISOString())
    // As if it had been a thousand, of which 249 are a tenth and more, and 250 a quarter.
    const fittedTo = (scans: number) =>
      database.query('UPDATE calibrations SET scans = $2 WHERE organization_id = $1', [
        project.organization_id,
        scans,
      ])
    await fittedTo(1_000)
    nowMs += MINUTE_MS
    await contribute(project, 249)
    await one.refitAll()
    expect(await fittedAt()).toBe(second)
    await contribute(project, 1)
    await one.refitAll()
    const quarter = await fittedAt()
    expect(quarter).toBe(clock.now().toISOString())
    // Within a minute nothing is new enough: clocks differ.
    await contribute(project, 250)
    await one.refitAll()
    expect(await fittedAt()).toBe(quarter)
    // Of two thousand, 200 are a tenth.
    await fittedTo(2_000)
    nowMs += MINUTE_MS
    await contribute(project, 200)
    await one.refitAll()
    expect(await fittedAt()).toBe(quarter)
    nowMs += HOUR_MS
    await one.refitAll()
    expect(await fittedAt()).toBe(clock.now().toISOString())
    const third = await fittedAt()
    nowMs += 2 * HOUR_MS
    await contribute(project, 199)
    await one.refitAll()
    expect(await fittedAt()).toBe(third)
  })

  it('that another version has fitted are fitted again, an hour after that, and its own are left to it', async () => {
    const project = newProject()
    await contribute(project, 250)
    await newWorker().refitAll()
    const old = Array.from({ length: 8 }, (_, index) => index)
    const fitted = async () => {
      const { rows } = await database.query<Record<'p68' | 'radius68', number[] | null>>(
        'SELECT p68, radius68 FROM calibrations WHERE organization_id = $1',
        [project.organization_id],
      )
      return rows[0]
    }
    // As the version before leaves it; then one that has fitted more features.
    for (const other of [null, [...old, ...old]]) {
      await database.query(
        'UPDATE calibrations SET p68 = $2, p95 = $2, radius68 = $3, radius95 = $3 WHERE organization_id = $1',
        [project.organization_id, old, other],
      )
      expect((await show(project)).source).toBe('usual')
      await newWorker().refitAll()
      expect(await fitted()).toEqual({ p68: old, radius68: other })
      nowMs += HOUR_MS + 1
      await newWorker().refitAll()
      expect((await show(project)).source).toBe('own')
      expect(await fitted()).toMatchObject({ p68: old, radius68: { length: FEATURES } })
    }
    const { fitted_at } = await show(project)
    nowMs += HOUR_MS + 1
    await newWorker().refitAll()
    expect((await show(project)).fitted_at).toBe(fitted_at)
  })

  it.each([
    ['before they were begun', () => Promise.resolve()],
    ['while they were fitted', begun],
  ])(
    'that were abandoned %s are fitted an hour later, and the usual ones are used until then',
    async (_, when) => {
      const project = newProject()
      await contribute(project, 400)
      const before = await radius(project)
      const worker = newWorker()
      const running = worker.refitAll()
      await when(worker)
      await worker.stop()
      await running
      expect(await radius(project)).toBe(before)
      expect((await show(project)).fitted_at).toBeNull()
      nowMs += MINUTE_MS
      await contribute(project, 400)
      await newWorker().refitAll()
      expect((await show(project)).fitted_at).toBeNull()
      nowMs += HOUR_MS + 1
      await newWorker().refitAll()
      expect((await show(project)).source).toBe('own')
    },
  )

  it('go a week after the scans that they were fitted to', async () => {
    const project = newProject()
    await contribute(project, 250)
    await newWorker().refitAll()
    expect(await show(project)).toMatchObject({ outcomes: 250 })
    await database.query('DELETE FROM reference_scans WHERE organization_id = $1', [project.organization_id])
    nowMs += 7 * 24 * HOUR_MS + 1
    await newWorker().refitAll()
    expect(await show(project)).toMatchObject({ source: 'usual', outcomes: 0, scans: 0, fitted_at: null })
  })
})
