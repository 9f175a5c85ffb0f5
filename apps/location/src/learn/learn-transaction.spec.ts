import { connectTo } from '@bearing/testing/connect-to'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { formatCell, type CellKey } from '@bearing/contracts/location/cells/cell-identity'
import { accessPointEvidence, radioCellEvidence } from '@bearing/positioning/learning/evidence/learn'
import {
  encodeRadioCell,
  mergeRadioCells,
  type RadioCellStatistics,
} from '@bearing/positioning/learning/statistics/radio-cell-statistics'
import {
  decodeContribution,
  encodeContribution,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import { merge, type AccessPointStatistics } from '@bearing/positioning/learning/statistics/statistics'
import { encodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import { databaseUnavailable } from '@bearing/service/ground/unavailable'
import { PostgresProxy, type Cut } from '@bearing/testing/postgres-proxy'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { BASE_LAYER } from '../ground/layer.js'
import { learn } from './learn-transaction.js'
import { updatesFrom, type Submission } from './submission.js'
import { rebuild } from '../testing/rebuild.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))

const NOW = new Date('2026-03-01T12:00:00Z')
const PLACE = { lat: 48, lon: 11 }

let bssids = 0
/** Addresses that no other test uses. */
const newBssids = (count: number) => Array.from({ length: count }, () => 0x02_00_00_00_00_00 + ++bssids)

/** Observations of some access points, a few meters from each other, each of them a submission. */
function submissions(organizationId: string, heard: readonly number[], count: number): Submission[] {
  const projectId = v7()
  return Array.from({ length: count }, (_, index) => [
    {
      id: v7(),
      organizationId,
      projectId,
      network: null,
      device: null,
      contribution: {
        lat: PLACE.lat + index * 1e-4,
        lon: PLACE.lon - index * 1e-4,
        accuracyMeters: 5 + index,
        atSeconds: NOW.getTime() / 1_000 - 86_400 * index,
        readings: heard.map((bssid, number) => ({ bssid, signalDbm: -40 - number - index })),
        cells: cellsOf(heard).map((cell, number) => ({ ...cell, signalDbm: -80 - number - index })),
      },
    },
  ])
}

/** Radio cells that are heard where access points are: of each test others. */
const cellsOf = (heard: readonly number[]): CellKey[] =>
  heard
    .slice(0, 2)
    .map((bssid) => ({ radio: 4, mcc: 262, mnc: 1, area: 1, cell: bssid - 0x02_00_00_00_00_00 }))

/** Returns the result of the pure functions, in one step and without a database. */
function expected(all: readonly Submission[]): Map<number, AccessPointStatistics> {
  const parts = new Map<number, AccessPointStatistics[]>()
  for (const { observation, update } of updatesFrom(all, new Map(), NOW.getTime() / 1_000).updates)
    if (update.accepted)
      for (const { key, statistics } of accessPointEvidence(observation.contribution, update.readings))
        parts.set(key, [...(parts.get(key) ?? []), statistics])
  return new Map([...parts].map(([bssid, list]) => [bssid, merge(list)]))
}

/** Returns the same of radio cells. */
function expectedCells(all: readonly Submission[]): Map<string, string> {
  const parts = new Map<string, RadioCellStatistics[]>()
  for (const { contribution } of all.flat())
    for (const { key, statistics } of radioCellEvidence(contribution, contribution.cells ?? []))
      parts.set(formatCell(key), [...(parts.get(formatCell(key)) ?? []), statistics])
  return new Map(
    [...parts].map(([cell, list]) => [
      cell,
      Buffer.from(encodeRadioCell(mergeRadioCells(list))).toString('hex'),
    ]),
  )
}

async function storedCells(layer: string, heard: readonly number[]): Promise<Map<string, string>> {
  const { rows } = await database.query<{ cell: string; statistics: Buffer }>(
    `SELECT 'lte,262,1,1,' || cell AS cell, statistics FROM learned_cells WHERE organization_id = $1 AND cell = ANY ($2)`,
    [layer, cellsOf(heard).map(({ cell }) => cell)],
  )
  return new Map(rows.map(({ cell, statistics }) => [cell, statistics.toString('hex')]))
}

async function stored(layer: string, heard: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await database.query<{ bssid: string; statistics: Buffer }>(
    'SELECT bssid, statistics FROM learned_access_points WHERE organization_id = $1 AND bssid = ANY ($2)',
    [layer, heard],
  )
  return new Map(rows.map(({ bssid, statistics }) => [Number(bssid), statistics.toString('hex')]))
}

const asHex = (known: ReadonlyMap<number, AccessPointStatistics>) =>
  new Map(
    [...known].map(([bssid, statistics]) => [
      bssid,
      Buffer.from(encodeStatistics(statistics)).toString('hex'),
    ]),
  )

/** Learns over a connection of its own, again where that is lost, as the queue does. */
async function learnUntilDone(url: string, some: readonly Submission[]): Promise<void> {
  for (;;) {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      await learn(client, some, NOW)
      return
    } catch (error) {
      if (!databaseUnavailable(error)) throw error
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

describe('learning', () => {
  it('comes to what the pure functions come to, bit by bit, in whatever batches', async () => {
    const organizationId = v7()
    const heard = newBssids(7)
    const all = submissions(organizationId, heard, 12)
    await learnUntilDone(postgres.databaseUrls.location, all.slice(0, 5))
    for (const one of all.slice(5)) await learnUntilDone(postgres.databaseUrls.location, [one])
    expect(await stored(organizationId, heard)).toEqual(asHex(expected(all)))
    expect(await storedCells(organizationId, heard)).toEqual(expectedCells(all))
  })

  it('loses nothing and counts nothing twice, at whatever statement a process dies', async () => {
    const proxy = await PostgresProxy.start(postgres.databaseUrls.location)
    try {
      for (const cut of ['before', 'after'] satisfies Cut[])
        for (let statement = 1, hasCut = true; hasCut; statement++) {
          const organizationId = v7()
          const heard = newBssids(3)
          const all = submissions(organizationId, heard, 4)
          await learnUntilDone(proxy.url, all.slice(0, 2))
          proxy.cutAt(statement, cut)
          await learnUntilDone(proxy.url, all)
          hasCut = proxy.disarm()
          expect(await stored(organizationId, heard)).toEqual(asHex(expected(all)))
          expect(await storedCells(organizationId, heard)).toEqual(expectedCells(all))
        }
    } finally {
      await proxy.stop()
    }
  })

  it('by many concurrently adds up, if all have heard the same and half of it comes twice', async () => {
    const organizationId = v7()
    const heard = newBssids(20)
    const all = submissions(organizationId, heard, 24)
    const parts = Array.from({ length: 6 }, (_, part) => all.filter((_, index) => index % 6 === part))
    await Promise.all(
      [...parts, ...parts.slice(0, 3).map((part) => part.toReversed())].map((part) =>
        learnUntilDone(postgres.databaseUrls.location, part),
      ),
    )
    expect(await stored(organizationId, heard)).toEqual(asHex(expected(all)))
    expect(await storedCells(organizationId, heard)).toEqual(expectedCells(all))
  })

  it('of a device leaves out what it repeats after it has moved, in another submission too', async () => {
    const organizationId = v7()
    const [stale = 0, fresh = 0] = newBssids(2)
    const [[first]] = submissions(organizationId, [stale, fresh], 1) as [[Submission[number]]]
    const device = v7()
    const moved = {
      ...first,
      id: v7(),
      contribution: {
        ...first.contribution,
        lat: PLACE.lat + 0.001,
        atSeconds: first.contribution.atSeconds + 60,
        readings: [
          { bssid: stale, signalDbm: -40 },
          { bssid: fresh, signalDbm: -70 },
        ],
      },
    }
    await learnUntilDone(postgres.databaseUrls.location, [[{ ...first, device }]])
    await learnUntilDone(postgres.databaseUrls.location, [[{ ...moved, device }]])
    const known = await stored(organizationId, [stale, fresh])
    expect(known.get(stale)).toBe(asHex(expected([[first]])).get(stale))
    expect(known.get(fresh)).toBe(asHex(expected([[first], [moved]])).get(fresh))
  })
})

describe('a device that reports from its cache', () => {
  it('is recognized by scans of two minutes, each in a submission of its own, and if an older version wrote the last one', async () => {
    const organizationId = v7()
    const [cached = 0, other = 0] = newBssids(2)
    const [[first]] = submissions(organizationId, [cached, other], 1) as [[Submission[number]]]
    const device = v7()
    const at = (index: number, ...signals: (readonly [bssid: number, signalDbm: number])[]) => ({
      ...first,
      id: v7(),
      device,
      contribution: {
        ...first.contribution,
        lat: PLACE.lat + 0.0005 * index,
        atSeconds: first.contribution.atSeconds + 30 * index,
        readings: signals.map(([bssid, signalDbm]) => ({ bssid, signalDbm })),
      },
    })
    const scans = [
      at(0, [cached, -60], [other, -50]),
      at(1, [other, -55]),
      at(2, [cached, -60], [other, -52]),
      at(3, [cached, -60], [other, -57]),
      at(4, [cached, -61], [other, -52]),
    ] as const
    for (const scan of scans.slice(0, 3)) await learnUntilDone(postgres.databaseUrls.location, [[scan]])
    await database.query('UPDATE device_scans SET recent = NULL WHERE id = $1', [device])
    for (const scan of scans.slice(3)) await learnUntilDone(postgres.databaseUrls.location, [[scan]])
    const { rows } = await database.query<{ contribution: Buffer }>(
      'SELECT contribution FROM observations JOIN unnest($1::uuid[]) WITH ORDINALITY AS given (id, place) USING (id) ORDER BY place',
      [scans.map(({ id }) => id)],
    )
    const nameOf = (bssid: number) => (bssid === cached ? 'cached' : 'other')
    const learned = rows.map(({ contribution }) => {
      const { learned: readings } = decodeContribution(contribution)
      return readings.map(({ bssid, signalDbm }) => `${nameOf(bssid)} ${String(signalDbm)}`).sort()
    })
    expect(learned).toEqual([
      ['cached -60', 'other -50'],
      ['other -55'],
      ['other -52'],
      ['other -57'],
      ['cached -61', 'other -52'],
    ])
  })
})

describe('a scan that cannot be true', () => {
  it('is not the one that the next scan of its device is compared with', async () => {
    const organizationId = v7()
    const heard = newBssids(2)
    const [[first]] = submissions(organizationId, heard, 1) as [[Submission[number]]]
    const device = v7()
    const at = (more: Partial<Submission[number]['contribution']>) => [
      { ...first, id: v7(), device, contribution: { ...first.contribution, ...more } },
    ]
    const { atSeconds } = first.contribution
    const inTheFuture = at({ atSeconds: atSeconds + 86_400 })
    const elsewhere = at({ lat: PLACE.lat + 1, lon: PLACE.lon + 1, atSeconds: atSeconds + 10 })
    const next = at({ atSeconds: atSeconds + 20 })
    for (const one of [at({}), inTheFuture, elsewhere, next])
      await learnUntilDone(postgres.databaseUrls.location, [one])
    const { rows } = await database.query<{ refusal: string | null }>(
      'SELECT refusal FROM observations WHERE organization_id = $1',
      [organizationId],
    )
    expect(rows.map(({ refusal }) => refusal).sort()).toEqual([
      'impossible_jump',
      'in_the_future',
      null,
      null,
    ])
    const kept = await database.query<{ contribution: Buffer }>(
      'SELECT contribution FROM device_scans WHERE id = $1',
      [device],
    )
    expect(kept.rows.map(({ contribution }) => decodeContribution(contribution).atSeconds)).toEqual([
      atSeconds + 20,
    ])
  })
})

describe('a device whose first position was wrong', () => {
  /** Returns a device, and its scans: ten seconds after each other, at latitudes that one says. */
  function deviceOf(organizationId: string) {
    const [[first]] = submissions(organizationId, newBssids(2), 1) as [[Submission[number]]]
    const device = v7()
    const { contribution } = first
    const { atSeconds } = contribution
    const at = (index: number, lat: number) => [
      {
        ...first,
        id: v7(),
        device,
        contribution: { ...contribution, lat, atSeconds: atSeconds + 10 * index },
      },
    ]
    return { first, device, atSeconds, at }
  }

  it('continues where its scans agree, one by one, and each may come twice', async () => {
    const organizationId = v7()
    const { device, atSeconds, at } = deviceOf(organizationId)
    const scans = [at(0, PLACE.lat + 3), ...[1, 2, 3, 4].map((index) => at(index, PLACE.lat))]
    const kept = async () => {
      const { rows } = await database.query<{
        contribution: Buffer
        agreeing: number
        elsewhere: Buffer | null
      }>('SELECT contribution, agreeing, elsewhere FROM device_scans WHERE id = $1', [device])
      return rows.map(({ contribution, agreeing, elsewhere }) => [
        decodeContribution(contribution).atSeconds - atSeconds,
        agreeing,
        elsewhere && decodeContribution(elsewhere).atSeconds - atSeconds,
      ])
    }
    const tracks = []
    for (const [index, scan] of scans.entries()) {
      await learnUntilDone(postgres.databaseUrls.location, [scan])
      tracks.push(...(await kept()))
      await learnUntilDone(postgres.databaseUrls.location, scans.slice(Math.max(0, index - 1), index + 1))
      expect(await kept()).toEqual(tracks.slice(-1))
    }
    expect(tracks).toEqual([
      [0, 0, null],
      [0, 1, 10],
      [0, 2, 20],
      [30, 0, null],
      [40, 0, null],
    ])
    const { rows } = await database.query<{ refusal: string | null }>(
      'SELECT refusal FROM observations JOIN unnest($1::uuid[]) WITH ORDINALITY AS given (id, place) USING (id) ORDER BY place',
      [scans.flat().map(({ id }) => id)],
    )
    expect(rows.map(({ refusal }) => refusal)).toEqual([
      null,
      'impossible_jump',
      'impossible_jump',
      null,
      null,
    ])
  })

  it('is not believed by what an older version has left behind', async () => {
    const organizationId = v7()
    const { first, device, atSeconds, at } = deviceOf(organizationId)
    for (const scan of [at(0, PLACE.lat), at(1, PLACE.lat + 3), at(2, PLACE.lat + 3)])
      await learnUntilDone(postgres.databaseUrls.location, [scan])
    // It writes the last scan, and nothing else.
    const last = encodeContribution({ ...first.contribution, atSeconds: atSeconds + 30, learned: [] })
    await database.query('UPDATE device_scans SET contribution = $2 WHERE id = $1', [device, last])
    const wrong = at(4, PLACE.lat + 3)
    await learnUntilDone(postgres.databaseUrls.location, [wrong])
    const { rows } = await database.query('SELECT refusal FROM observations WHERE id = $1', [wrong[0]?.id])
    expect(rows).toEqual([{ refusal: 'impossible_jump' }])
  })
})

describe('what comes with a project key', () => {
  const byKey = (some: readonly Submission[], network: string): Submission[] =>
    some.map((submission) => submission.map((one) => ({ ...one, network })))

  it('is learned once a day of each client network and access point, however often it is sent', async () => {
    const organizationId = v7()
    const heard = newBssids(3)
    const [network, other] = [v7(), v7()]
    const all = submissions(organizationId, heard, 60)
    const [first = [], ...rest] = byKey(all, network)
    await learnUntilDone(postgres.databaseUrls.location, [first, ...rest.slice(0, 20)])
    await learnUntilDone(postgres.databaseUrls.location, [...rest.slice(20), first])
    expect(await stored(organizationId, heard)).toEqual(asHex(expected([first])))
    expect(await storedCells(organizationId, heard)).toEqual(expectedCells([first]))
    const [second = []] = byKey(submissions(organizationId, heard, 1), other)
    await learnUntilDone(postgres.databaseUrls.location, [second])
    expect(await stored(organizationId, heard)).toEqual(asHex(expected([first, second])))
    const before = await stored(organizationId, heard)
    await rebuild(database, organizationId, NOW)
    expect(await stored(organizationId, heard)).toEqual(before)
  })

  it('does not keep what comes with another credential from being learned', async () => {
    const organizationId = v7()
    const heard = newBssids(2)
    const all = submissions(organizationId, heard, 4)
    const [first = []] = byKey(submissions(organizationId, heard, 1), v7())
    await learnUntilDone(postgres.databaseUrls.location, [first, ...all])
    expect(await stored(organizationId, heard)).toEqual(asHex(expected([first, ...all])))
  })
})

describe('what is private', () => {
  it('never leaks into the base layer or into another organization', async () => {
    const [mine, other] = [v7(), v7()]
    const heard = newBssids(4)
    const own = submissions(mine, heard, 3)
    const others = submissions(other, heard.slice(0, 2), 2)
    await learnUntilDone(postgres.databaseUrls.location, [...own, ...others])
    expect(await stored(mine, heard)).toEqual(asHex(expected(own)))
    expect(await storedCells(mine, heard)).toEqual(expectedCells(own))
    expect(await stored(other, heard)).toEqual(asHex(expected(others)))
    expect(await storedCells(other, heard)).toEqual(expectedCells(others))
    expect(await stored(BASE_LAYER, heard)).toEqual(new Map())
    expect(await storedCells(BASE_LAYER, heard)).toEqual(new Map())
  })

  it('and contributions of an organization that keeps none, are not kept: no scan, no place, no time', async () => {
    const organizationId = v7()
    await database.query(
      'INSERT INTO location_settings (organization_id, retention_days, updated_at) VALUES ($1, 0, now())',
      [organizationId],
    )
    const heard = newBssids(2)
    const all = submissions(organizationId, heard, 2)
    await learnUntilDone(postgres.databaseUrls.location, all)
    await learnUntilDone(postgres.databaseUrls.location, all)
    expect(await stored(organizationId, heard)).toEqual(asHex(expected(all)))
    expect(await storedCells(organizationId, heard)).toEqual(expectedCells(all))
    const { rows } = await database.query<{ contribution: Buffer | null }>(
      'SELECT contribution FROM observations WHERE organization_id = $1',
      [organizationId],
    )
    expect(rows).toEqual([{ contribution: null }, { contribution: null }])
    const references = 'SELECT id FROM reference_scans WHERE organization_id = $1'
    expect((await database.query(references, [organizationId])).rows).toEqual([])
  })
})
