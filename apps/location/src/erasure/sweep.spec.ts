import { connectTo } from '@bearing/testing/connect-to'
import { decodeContribution, decodeReadings } from '@bearing/positioning/learning/evidence/contribution-codec'
import { Transactions } from '@bearing/service/store/transactions'
import { eventually } from '@bearing/testing/eventually'
import { PostgresProxy, type Cut } from '@bearing/testing/postgres-proxy'
import { TestDatabase } from '@bearing/testing/test-database'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { learn } from '../learn/learn-transaction.js'
import type { Submission } from '../learn/submission.js'
import { sweepLayer } from './sweep.js'
import { sweepInTurns } from './sweep-turns.js'
import { rebuild } from '../testing/rebuild.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))

const NOW = new Date('2026-03-01T12:00:00Z')
const HOME = { lat: 48.1372, lon: 11.5755 }
/** About 600 m to the north: no square of 260 m has a part of both. */
const FAR = { lat: HOME.lat + 0.0054, lon: HOME.lon * 0 + HOME.lon }
const RADIUS = 50

let addresses = 0
/** Addresses that no other test uses, and that differ before the last digit. */
const newAddresses = (count: number) =>
  Array.from({ length: count }, () => 0x02_f5_00_00_00_00 + 16 * ++addresses)
const cellOf = (bssid: number) => ({ radio: 4 as const, mcc: 262, mnc: 1, area: 2, cell: bssid % 2 ** 28 })

/** Observations, each of some access points and of a radio cell for each. */
function scans(organizationId: string, heard: readonly (readonly number[])[], place = HOME): Submission[] {
  const projectId = organizationId
  return heard.map((bssids) => {
    const readings = bssids.map((bssid) => ({ bssid, signalDbm: -50 }))
    const at = { ...place, accuracyMeters: 5, atSeconds: NOW.getTime() / 1_000 - 60 }
    const contribution = { ...at, readings, cells: bssids.slice(0, 2).map(cellOf) }
    return [{ id: v7(), organizationId, projectId, network: null, device: null, contribution }]
  })
}

const erase = (layer: string, bssids: readonly number[]) =>
  database.query('INSERT INTO forgotten_access_points SELECT $1, unnest($2::bigint[]), now(), NULL', [
    layer,
    bssids,
  ])
const forgetCell = (layer: string, bssid: number) =>
  database.query('INSERT INTO forgotten_cells VALUES ($1, 4, 262, 1, 2, $2, now(), NULL)', [
    layer,
    cellOf(bssid).cell,
  ])
const eraseHome = (layer: string) =>
  database.query('INSERT INTO forgotten_areas VALUES ($1, $2, $3, $4, $5, now(), NULL)', [
    v7(),
    layer,
    HOME.lat,
    HOME.lon,
    RADIUS,
  ])

/** Sweeps until nothing is left. @returns the statements, and what failed */
async function sweep(url = postgres.databaseUrls.location, now = () => new Date()) {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => undefined)
  const statements: { text: string; values: unknown[] }[] = []
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((given: string | { text: string; values: unknown[] }, values: unknown[] = []) => {
      statements.push(typeof given === 'string' ? { text: given, values } : given)
      return query(given, ...(values.length > 0 ? [values] : []))
    }) as typeof client.query // all of its overloads
  })
  const failed: unknown[] = []
  try {
    await sweepInTurns(
      pool,
      { now, transactions: Transactions.unpublished() },
      () => false,
      (error) => failed.push(error),
    )
  } finally {
    await pool.end()
  }
  return { statements, failed }
}

async function unswept(layer: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM forgotten_access_points WHERE organization_id = $1 AND swept_at IS NULL)::int
       + (SELECT count(*) FROM forgotten_cells WHERE organization_id = $1 AND swept_at IS NULL)::int
       + (SELECT count(*) FROM forgotten_areas WHERE organization_id = $1 AND swept_at IS NULL)::int AS count`,
    [layer],
  )
  return rows[0]?.count ?? -1
}

/** Returns all addresses that are anywhere, and all cells. */
async function stored(layer: string) {
  const { rows: observations } = await database.query<{ contribution: Buffer | null }>(
    'SELECT contribution FROM observations WHERE organization_id = $1 ORDER BY id',
    [layer],
  )
  const contributions = observations.map(
    ({ contribution }) => contribution && decodeContribution(contribution),
  )
  const { rows: references } = await database.query<{ readings: Buffer }>(
    'SELECT readings FROM reference_scans WHERE organization_id = $1 ORDER BY id',
    [layer],
  )
  const { rows: learned } = await database.query<{ bssid: string; statistics: Buffer }>(
    'SELECT bssid, statistics FROM learned_access_points WHERE organization_id = $1 ORDER BY bssid',
    [layer],
  )
  const { rows: cells } = await database.query<{ cell: string; statistics: Buffer }>(
    'SELECT cell, statistics FROM learned_cells WHERE organization_id = $1 ORDER BY cell',
    [layer],
  )
  return {
    contributions: contributions.map((one) => one?.readings.map(({ bssid }) => bssid)),
    contributedCells: contributions.map((one) => one?.cells?.map(({ cell }) => cell)),
    references: references.map(({ readings }) => decodeReadings(readings).map(([bssid]) => bssid)),
    learned: learned.map(({ bssid }) => Number(bssid)),
    statistics: learned.map(({ statistics }) => statistics.toString('hex')),
    cells: cells.map(({ cell }) => Number(cell)),
    cellStatistics: cells.map(({ statistics }) => statistics.toString('hex')),
  }
}

const events = async (layer: string) =>
  (await database.query(`SELECT id FROM outbox WHERE data->>'organization_id' = $1`, [layer])).rows.length

describe('sweeping', () => {
  it('is one pass over what is stored, with one event, however many access points there are', async () => {
    const layer = v7()
    const gone = newAddresses(300)
    const stays = newAddresses(2)
    const heard = Array.from({ length: 1_200 }, (_, index) => [
      ...gone.slice(index % 290, (index % 290) + 3),
      ...stays,
    ])
    for (let start = 0; start < heard.length; start += 300)
      await learn(database, scans(layer, heard.slice(start, start + 300), FAR), NOW)
    await erase(layer, gone)
    await forgetCell(layer, gone[0] ?? 0)
    await eraseHome(layer)
    const { statements } = await sweep()
    const reads = (table: string) =>
      statements.filter(({ text }) =>
        new RegExp(`^SELECT [^;]*FROM ${table}\\s+WHERE organization_id`).test(text),
      )
    expect(reads('observations')).toHaveLength(3)
    expect(reads('reference_scans')).toHaveLength(1)
    expect(await events(layer)).toBe(1)
    expect(await unswept(layer)).toBe(0)
    const after = await stored(layer)
    expect(after.learned).toEqual(stays)
    expect(new Set(after.contributions.flat())).toEqual(new Set(stays))
    expect(new Set(after.references.flat())).toEqual(new Set(stays))
    expect(after.contributedCells.flat()).not.toContain(cellOf(gone[0] ?? 0).cell)
    expect(after.cells).not.toContain(cellOf(gone[0] ?? 0).cell)
  })

  it('finds each reference scan by its primary key', async () => {
    const layer = v7()
    const [gone = 0, ...stays] = newAddresses(3)
    await database.query(
      `INSERT INTO reference_scans (project_id, cell, id, organization_id, at_seconds, lat, lon, accuracy, readings, received_at)
       SELECT gen_random_uuid(), number, gen_random_uuid(), gen_random_uuid(), 1, 1, 1, 5, '', now() FROM generate_series(1, 20000) AS number`,
    )
    await database.query('ANALYZE reference_scans')
    await learn(database, scans(layer, [[gone, ...stays]], FAR), NOW)
    await erase(layer, [gone])
    const { statements } = await sweep()
    const writes = statements.filter(({ text }) => /^(UPDATE|DELETE FROM) reference_scans/.test(text))
    expect(writes).toHaveLength(2)
    for (const { text, values } of writes) {
      const { rows } = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('reference_scans_pkey')
      expect(plan).not.toContain('Seq Scan')
    }
    expect((await stored(layer)).references).toEqual([stays])
  })

  it('takes turns: neither few addresses nor cells wait for those of another organization, nor for what fails there', async () => {
    const [large, small, broken] = [v7(), v7(), v7()]
    const many = newAddresses(3_000)
    const [one = 0, other = 0] = newAddresses(2)
    const heard = Array.from({ length: 3_000 }, (_, index) => many.slice(index, index + 2))
    await learn(database, scans(large, heard, FAR), NOW)
    await learn(database, scans(small, [[one, other]], FAR), NOW)
    await database.query("INSERT INTO learned_access_points VALUES (64, $1, '\\xff', now())", [broken])
    await eraseHome(broken)
    await erase(large, many)
    await erase(small, [one])
    await forgetCell(small, other)
    let time = 0
    const { failed } = await sweep(undefined, () => new Date(++time))
    // On a slow machine it is tried again meanwhile.
    expect(new Set(failed.map(String))).toEqual(
      new Set(['RangeError: statistics of an unknown version, 255']),
    )
    const sweptAt = async (layer: string) => {
      const { rows } = await database.query<{ swept_at: Date }>(
        'SELECT swept_at FROM forgotten_access_points WHERE organization_id = $1 ORDER BY swept_at DESC LIMIT 1',
        [layer],
      )
      return rows[0]?.swept_at
    }
    expect(await sweptAt(small)).toEqual(expect.any(Date))
    expect(Number(await sweptAt(small))).toBeLessThan(Number(await sweptAt(large)))
    expect(await unswept(small)).toBe(0)
    expect((await stored(small)).contributedCells).toEqual([[cellOf(one).cell]])
    await database.query('DELETE FROM learned_access_points WHERE organization_id = $1', [broken])
    await sweep()
    expect(await unswept(broken)).toBe(0)
  })

  it('does not block learning, which brings nothing back, and leaves what is erased meanwhile to the next run', async () => {
    const layer = v7()
    const [gone = 0, again = 0, stays = 0, too = 0, fresh = 0] = newAddresses(5)
    const heard = Array.from({ length: 1_100 }, () => [gone, again, stays, too])
    for (const part of [heard.slice(0, 550), heard.slice(550)])
      await learn(database, scans(layer, part, FAR), NOW)
    await erase(layer, [gone, again])
    const client = new pg.Client(postgres.databaseUrls.location)
    await client.connect()
    await database.query("SET lock_timeout = '500ms'")
    const context = { now: () => new Date(), transactions: Transactions.unpublished() }
    let pages = 0
    for await (const step of sweepLayer(client, layer, context)) {
      expect(step).toBe(undefined)
      pages++
      await learn(database, scans(layer, [[gone, again, stays, too, fresh]], FAR), NOW)
      await database.query(
        `INSERT INTO forgotten_access_points VALUES ($1, $2, now(), NULL)
         ON CONFLICT (organization_id, bssid) DO UPDATE SET swept_at = NULL`,
        [layer, again],
      )
    }
    await client.end()
    await database.query('RESET lock_timeout')
    expect(pages).toBe(2)
    const { rows } = await database.query<{ bssid: string; swept: boolean }>(
      'SELECT bssid, swept_at IS NOT NULL AS swept FROM forgotten_access_points WHERE organization_id = $1 ORDER BY bssid',
      [layer],
    )
    expect(rows).toEqual([
      { bssid: String(gone), swept: true },
      { bssid: String(again), swept: false },
    ])
    const after = await stored(layer)
    expect(after.learned).toEqual([stays, too, fresh])
    expect(new Set(after.contributions.flat())).toEqual(new Set([stays, too, fresh]))
    expect(after.references).toContainEqual([stays, too])
    expect(after.references.flat()).not.toContain(gone)
    expect(after.references.flat()).not.toContain(again)
  })

  it('by two processes concurrently, or by one that dies at any statement, has the same result', async () => {
    const prepare = async () => {
      const layer = v7()
      const [gone = 0, away = 0, ...stay] = newAddresses(4)
      const far = scans(layer, [[gone, ...stay], [...stay, away], stay], FAR)
      const atHome = scans(layer, [
        [away, ...stay],
        [away, ...stay],
      ])
      await learn(database, [...far, ...atHome], NOW)
      await erase(layer, [gone])
      await eraseHome(layer)
      return { layer, stay }
    }
    const check = async ({ layer, stay }: { layer: string; stay: readonly number[] }) => {
      expect(await unswept(layer)).toBe(0)
      const after = await stored(layer)
      expect(new Set(after.contributions.flat())).toEqual(new Set([...stay, undefined]))
      expect(after.references).toEqual([stay, stay, stay])
    }
    const both = await prepare()
    await Promise.all([sweep(), sweep()])
    await sweep()
    await check(both)
    const proxy = await PostgresProxy.start(postgres.databaseUrls.location)
    try {
      for (const cut of ['before', 'after'] satisfies Cut[])
        for (let statement = 1, hasCut = true; hasCut; statement++) {
          const one = await prepare()
          proxy.cutAt(statement, cut)
          await sweep(proxy.url).catch(() => undefined)
          hasCut = proxy.disarm()
          // Until Postgres has seen that the connection is gone, the layer is another's.
          await eventually(async () => {
            await sweep()
            expect(await unswept(one.layer)).toBe(0)
          })
          await check(one)
        }
    } finally {
      await proxy.stop()
    }
  })
})

it('of reference scans leaves those that a rebuild would: none of a single access point', async () => {
  const layer = v7()
  const [gone = 0, ...stay] = newAddresses(3)
  await learn(
    database,
    scans(
      layer,
      [
        [gone, ...stay.slice(1)],
        [gone, ...stay],
      ],
      FAR,
    ),
    NOW,
  )
  await erase(layer, [gone])
  await sweep()
  const { references } = await stored(layer)
  expect(references).toEqual([stay])
  await rebuild(database, layer, NOW)
  expect((await stored(layer)).references).toEqual(references)
})

describe('an erased area', () => {
  it('leaves nothing that was heard in it, even of access points elsewhere: the same as a rebuild', async () => {
    const layer = v7()
    const [outside = 0, inside = 0] = newAddresses(2)
    const around = Array.from({ length: 9 }, () => [outside])
    await learn(database, scans(layer, around, FAR), NOW)
    const before = await stored(layer)
    await learn(database, scans(layer, [[outside, inside]]), NOW)
    expect((await stored(layer)).statistics[0]).not.toEqual(before.statistics[0])
    await eraseHome(layer)
    await sweep()
    const after = await stored(layer)
    expect(after).toMatchObject({ learned: [outside], statistics: before.statistics })
    const { rows } = await database.query(
      'SELECT bssid FROM forgotten_access_points WHERE organization_id = $1',
      [layer],
    )
    expect(rows).toEqual([{ bssid: String(inside) }])
    await rebuild(database, layer, NOW)
    expect(await stored(layer)).toEqual(after)
  })
})

describe('contributions that cannot be read', () => {
  it('as of a newer version, stay, are reported once, and keep nothing else from being swept', async () => {
    const layer = v7()
    const [gone = 0, other = 0] = newAddresses(2)
    const all = scans(layer, [[gone], [gone, other]])
    await learn(database, all, NOW)
    await database.query(
      'UPDATE observations SET contribution = set_byte(contribution, 0, 250) WHERE id = $1',
      [all[0]?.[0]?.id],
    )
    await erase(layer, [gone])
    const { failed } = await sweep()
    expect(failed.map(String)).toEqual([expect.stringContaining('1 contributions stay as they are')])
    expect(await unswept(layer)).toBe(0)
    const { rows } = await database.query<{ contribution: Buffer }>(
      'SELECT contribution FROM observations WHERE organization_id = $1 ORDER BY id = $2 DESC',
      [layer, all[0]?.[0]?.id],
    )
    expect(rows.map(({ contribution }) => contribution[0] === 250)).toEqual([true, false])
    const [, swept] = rows.map(({ contribution }) => contribution)
    expect(swept && decodeContribution(swept).readings.map(({ bssid }) => bssid)).toEqual([other])
    expect((await sweep()).failed).toEqual([])
  })
})
