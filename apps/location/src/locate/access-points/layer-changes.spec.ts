import { connectTo } from '@bearing/testing/connect-to'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { BASE_LAYER } from '../../ground/layer.js'
import { ReadPool } from '../../ground/read-pool.js'
import { learn } from '../../learn/learn-transaction.js'
import { AccessPointCache } from './access-point-cache.js'
import { AccessPointReader } from './access-point-reader.js'
import { LayerChanges } from './layer-changes.js'

const BSSID = 0x02_00_00_00_00_40
const OTHER = 0x02_00_00_00_00_80
/** Longer than entries are cached without checks, and shorter than with them. */
const LATER_MS = 70_000
const CHANGE = 'INSERT INTO layer_changes (transaction, organization_id, bssids, changed_at)'
const XID = 'pg_current_xact_id()::text::bigint'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))
const pool = forSuite(
  () => new pg.Pool({ connectionString: postgres.databaseUrls.location }),
  (it) => it.end(),
)

let nowMs = Date.parse('2026-03-01T12:00:00Z')
const clock = new Clock(() => nowMs)
type Rows = readonly object[]
const asRead = (rows: Rows) => rows
const away = () => {
  throw new Error('the database is away')
}
/** Replaces the answer of Postgres to a check. */
let answer: (rows: Rows) => Rows
const answered = {
  query: async (query: pg.QueryConfig) => {
    const result = await pool.query<object>(query)
    return { ...result, rows: answer(result.rows) }
  },
}
let cache: AccessPointCache
let reader: AccessPointReader
let changes: LayerChanges
let organizationId: string
beforeEach(async () => {
  cache = new AccessPointCache({
    organizations: 4,
    accessPoints: 100,
    ttlMs: 60_000,
    checkedTtlMs: 900_000,
  })
  reader = new AccessPointReader(new ReadPool(pool), cache, clock)
  answer = asRead
  changes = new LayerChanges(new ReadPool(answered as never), cache, clock, createLogger('spec', 'silent'))
  organizationId = v7()
  await store(database, organizationId, 48)
  await changes.check()
})

/** Stores a position as an import does: with the sums of the layer, in one transaction. */
async function store(client: pg.ClientBase, layer: string, lat: number): Promise<void> {
  await client.query('INSERT INTO layers VALUES ($1, 0, 0, now()) ON CONFLICT DO NOTHING', [layer])
  await client.query(
    `INSERT INTO access_points (organization_id, bssid, lat, lon, spread, weight, observations, declared, updated_at)
     SELECT $1, bssid, $3, 11, 0, 0, 1, true, now() FROM unnest($2::bigint[]) AS bssid
     ON CONFLICT (bssid, organization_id) DO UPDATE SET lat = excluded.lat`,
    [layer, [BSSID, OTHER], lat],
  )
  await client.query('UPDATE layers SET updated_at = now() WHERE organization_id = $1', [layer])
}

/** Latitudes of both access points; undefined: unknown. */
async function latitudes(): Promise<(number | undefined)[]> {
  const found = await reader.find(organizationId, [BSSID, OTHER])
  return found.map((one) => one?.known.lat)
}

/** Returns the number of cache hits of a look-up of both access points. */
async function cached(): Promise<number> {
  const before = cache.figures.hits
  await latitudes()
  return cache.figures.hits - before
}

/** Another connection, in a transaction. */
async function begun(): Promise<pg.PoolClient> {
  const client = await pool.connect()
  await client.query('BEGIN')
  return client
}

async function commit(client: pg.PoolClient): Promise<void> {
  await client.query('COMMIT')
  client.release()
}

async function later(): Promise<void> {
  nowMs += LATER_MS / 2
  await changes.check()
  nowMs += LATER_MS / 2
  await changes.check()
}

describe('cached access points whose changes are checked', () => {
  it('stay cached for longer than those that are not', async () => {
    await latitudes()
    await later()
    expect(await cached()).toBe(2)
  })

  it.each([
    ['their own layer', () => organizationId],
    ['the base layer', () => BASE_LAYER],
  ])('are read again after a change of %s, without any event', async (_, layerOf) => {
    const layer = layerOf()
    if (layer === BASE_LAYER) await database.query('DELETE FROM access_points')
    const before = await latitudes()
    await store(database, layer, 49)
    expect(await latitudes()).toEqual(before)
    await changes.check()
    expect(await latitudes()).toEqual([49, 49])
    await database.query('DELETE FROM access_points WHERE organization_id = $1', [BASE_LAYER])
  })

  it('are read again after a change that was under way while they were read and checked', async () => {
    const importing = await begun()
    await store(importing, organizationId, 49)
    // The next transaction commits first: an order by transaction or time would miss the one that began earlier.
    await store(database, v7(), 50)
    await changes.check()
    expect(await latitudes()).toEqual([48, 48])
    await changes.check()
    await commit(importing)
    await changes.check()
    expect(await latitudes()).toEqual([49, 49])
  })

  it('are read again if something was learned of them for the first time, and the others are not', async () => {
    await latitudes()
    const contribution = {
      ...{ lat: 48.001, lon: 11, accuracyMeters: 5, atSeconds: nowMs / 1_000 - 60 },
      readings: [{ bssid: BSSID, signalDbm: -60 }],
    }
    const base = { id: v7(), organizationId, projectId: v7(), network: null, device: null }
    await learn(database, [[{ ...base, contribution }]], new Date(nowMs))
    expect(await cached()).toBe(2)
    await changes.check()
    expect(await cached()).toBe(1)
    // Later learning is not recorded: what was learned stays cached for a minute only.
    await later()
    expect(await cached()).toBe(1)
  })

  it('are cached for a minute only if they were read during a check', async () => {
    const during = changes.check()
    await latitudes()
    await during
    await later()
    expect(await cached()).toBe(0)
  })

  it('are cached for a minute only if changes cannot be read, until they can', async () => {
    await latitudes()
    answer = away
    await expect(changes.check()).rejects.toThrow('the database is away')
    expect(await cached()).toBe(2)
    nowMs += LATER_MS
    expect(await cached()).toBe(0)
    expect(await cached()).toBe(2)
    answer = asRead
    await changes.check()
    await later()
    expect(await cached()).toBe(0)
    await later()
    expect(await cached()).toBe(2)
  })

  it.each([
    [9_999, 2],
    [10_000, 0],
  ])('are dropped if there are too many changes to read: %i of other layers', async (count, left) => {
    await latitudes()
    await database.query(
      `${CHANGE} SELECT ${XID}, gen_random_uuid(), '{}', now() FROM generate_series(1, $1)`,
      [count],
    )
    await changes.check()
    expect(await cached()).toBe(left)
  })

  it.each([
    ['their own layer', 10_000, 2, () => organizationId],
    ['their own layer', 10_001, 0, () => organizationId],
    ['the base layer', 10_000, 2, () => BASE_LAYER],
    ['the base layer', 10_001, 0, () => BASE_LAYER],
    ['another layer', 10_001, 2, () => v7()],
  ])('are dropped if too many others of %s have changed: %i', async (_, count, left, layerOf) => {
    await latitudes()
    const half = `array(SELECT generate_series(1, $2::bigint / 2))`
    const rest = `array(SELECT generate_series($2::bigint / 2 + 1, $2))`
    await database.query(`${CHANGE} VALUES (${XID}, $1, ${half}, now()), (${XID}, $1, ${rest}, now())`, [
      layerOf(),
      count,
    ])
    await changes.check()
    expect(await cached()).toBe(left)
  })

  it('are dropped alone by any number of changes that name others', async () => {
    await latitudes()
    const others = `array(SELECT (n * 10 + i)::bigint FROM generate_series(1, 3) AS i)`
    await database.query(
      `${CHANGE} SELECT ${XID}, $1, CASE n WHEN 7 THEN array[$2::bigint] ELSE ${others} END, now()
       FROM generate_series(1, 3000) AS n`,
      [organizationId, BSSID],
    )
    await changes.check()
    expect(await cached()).toBe(1)
  })

  it.each([
    ['whose transactions are older', { is_older: true }],
    ['that has started at another time', { started_at: '1772366400.000000' }],
  ])('are dropped if another server answers, %s', async (_, changed) => {
    await latitudes()
    answer = (rows) => rows.map((row) => ({ ...row, ...changed }))
    await changes.check()
    expect(await cached()).toBe(0)
    await changes.check()
    expect(await cached()).toBe('is_older' in changed ? 0 : 2)
  })

  it('are no longer used if they were not checked for a minute, even before the next check', async () => {
    await latitudes()
    nowMs += LATER_MS
    expect(await cached()).toBe(0)
  })

  it('lose their longer life a minute after the last good check began, however long it took', async () => {
    await latitudes()
    const during = changes.check()
    nowMs += LATER_MS
    await during
    expect(await cached()).toBe(0)
  })

  it('are used again after a check that finds all changes since the last good one', async () => {
    const other = v7()
    await store(database, other, 50)
    await changes.check()
    await reader.find(other, [BSSID])
    await latitudes()
    answer = away
    await store(database, organizationId, 49)
    nowMs += LATER_MS
    await expect(changes.check()).rejects.toThrow('the database is away')
    answer = asRead
    await changes.check()
    const { hits } = cache.figures
    await reader.find(other, [BSSID])
    expect(cache.figures.hits - hits).toBe(1)
    expect(await latitudes()).toEqual([49, 49])
  })

  it('are dropped if they were not checked for as long as changes are certain to be kept', async () => {
    await latitudes()
    nowMs += LATER_MS
    await changes.check()
    expect(await cached()).toBe(2)
    nowMs += 3_700_000
    await latitudes()
    await changes.check()
    expect(await cached()).toBe(0)
  })
})
