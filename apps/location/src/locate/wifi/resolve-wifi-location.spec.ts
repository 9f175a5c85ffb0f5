import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import type { OperationError } from '@bearing/contracts/errors'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import { resolveWifiBatch } from '@bearing/contracts/location/lookups/wifi-batch'
import { eventually } from '@bearing/testing/eventually'
import pg from 'pg'
import { v7 } from 'uuid'
import { ACCESS_POINT } from '../../ground/stations/access-point.js'
import { BASE_LAYER } from '../../ground/layer.js'
import { readStationsSql, stationParameters } from '../known-stations.js'
import { Callers, importAll, type Caller } from '../../testing/test-caller.js'

type Organization = Caller & { readonly organizationId: string }

const stack = stackForSuite({ services: ['identity', 'location'], gateways: 0, postgres: 'own' })
const callers = forSuite(() => Callers.open(stack.natsUrl))
const organization = forSuite(() => callers.newOrganization())
const other = forSuite(() => callers.newOrganization())

const PROJECT = v7()
/** Each of a radio of its own: they differ before the last digit. */
const address = (number: number) => (0x02_00_00_00_00_00 + number * 64).toString(16).padStart(12, '0')

function locate(caller: Organization, ...numbers: readonly number[]) {
  const accessPoints = numbers.map((number) => ({ macAddress: address(number), signalStrength: -60 }))
  return caller.call(resolveWifiLocation, {
    organization_id: caller.organizationId,
    project_id: PROJECT,
    accessPoints,
  })
}

/** Declares access points at a place, a few meters around. */
function place(caller: Caller, lat: number, lon: number, ...numbers: readonly number[]) {
  return importAll(
    caller,
    'positions',
    numbers.map((number) => [address(number), lat + number * 1e-6, lon, null]),
  )
}

const near = (lat: number) => ({ lat: expect.closeTo(lat, 3) as unknown as number, fulfilledWith: 'WIFI' })
const NOWHERE = {
  code: 'location_not_found',
  details: { reason: 'too_few_known', accessPoints: { received: 2, usable: 2 } },
}
/** An event has to reach every process; without it, what was looked up is cached for a minute. */
const soon = { withinMs: 20_000 }

describe('a scan', () => {
  it('is located by locally administered addresses, in every notation', async () => {
    await place(callers.operator, 48, 11, 1, 2)
    const accessPoints = [
      { macAddress: '02-00-00-00-00-40' },
      { macAddress: '0200.0000.0080', signalStrength: -40 },
    ]
    const found = await organization.call(resolveWifiLocation, {
      organization_id: organization.organizationId,
      project_id: PROJECT,
      accessPoints,
    })
    expect(found).toMatchObject(near(48))
    expect(found?.uncertainty).toBeGreaterThan(0)
  })

  it('with fewer than two different usable access points is refused, with the reason', async () => {
    await expect(locate(organization, 1, 1)).rejects.toMatchObject({
      code: 'too_few_access_points',
      message: expect.stringContaining(
        '1 usable access point. A position needs 2 radios, or one whose place your organization has imported',
      ) as unknown,
    })
  })

  it('has no position if nothing or too little of it is known, and does not reveal which of both', async () => {
    const [nothing, one] = await Promise.all(
      [
        [901, 902],
        [1, 902],
      ].map((numbers) => locate(organization, ...numbers).catch((error: unknown) => error as OperationError)),
    )
    expect(nothing).toMatchObject(NOWHERE)
    expect(one).toMatchObject(NOWHERE)
    expect((one as OperationError).message).toBe((nothing as OperationError).message)
  })
})

it('a scan is located without what the device repeats from where it was before', async () => {
  await place(organization, 56, 11, 51, 52)
  await place(organization, 56.003, 11, 53, 54, 55)
  const heard = (...numbers: readonly number[]) =>
    numbers.map((number) => ({ macAddress: address(number), signalStrength: -60 }))
  const request = {
    organization_id: organization.organizationId,
    project_id: PROJECT,
    accessPoints: heard(51, 52, 53, 54, 55),
  }
  const found = (previousScans: { age: number; accessPoints: ReturnType<typeof heard> }[]) =>
    organization.call(resolveWifiLocation, { ...request, previousScans })
  await eventually(async () => {
    expect(await found([])).toMatchObject({ accessPoints: { usable: 5, known: 5 } })
  }, soon)
  expect(await found([{ age: 60_000, accessPoints: heard(51, 52) }])).toMatchObject({
    ...near(56.003),
    accessPoints: { received: 5, usable: 3, known: 3 },
  })
  expect(await found([{ age: 180_000, accessPoints: heard(51, 52) }])).toMatchObject({
    accessPoints: { usable: 5 },
  })
})

describe('measured distances', () => {
  const METER = 1 / 111_195
  /** East and north of 58°, 11°, in meters. */
  const at = (east: number, north: number) => ({
    lat: 58 + north * METER,
    lon: 11 + (east * METER) / Math.cos((58 * Math.PI) / 180),
  })
  const corners = [
    [-20, -15],
    [20, -15],
    [0, 25],
  ] as const
  /** A device that is 6 m to the east and 4 m to the north. */
  const truth = [6, 4] as const
  const request = (caller: Organization, numbers: readonly number[], options: object = {}) => ({
    ...{ organization_id: caller.organizationId, project_id: PROJECT, ...options },
    accessPoints: corners.map(([east, north], index) => ({
      ...{ macAddress: address(numbers[index] ?? 0), signalStrength: -60 },
      distance: Math.hypot(east - truth[0], north - truth[1], 1.5),
    })),
  })
  const without = <Sent extends { accessPoints: readonly { distance: number }[] }>(sent: Sent) => ({
    ...sent,
    accessPoints: sent.accessPoints.map(({ distance: _, ...rest }) => rest),
  })
  const rows = (numbers: readonly number[]) =>
    corners.map(([east, north], index): [string, number, number, null] => {
      const { lat, lon } = at(east, north)
      return [address(numbers[index] ?? 0), lat, lon, null]
    })
  const offBy = (found: { lat: number; lon: number } | null) => {
    const { lat, lon } = at(...truth)
    const east = ((found?.lon ?? NaN) - lon) * Math.cos((58 * Math.PI) / 180)
    return Math.hypot((found?.lat ?? NaN) - lat, east) / METER
  }

  it('to own access points whose places are declared locate a device to a meter or two', async () => {
    const numbers = [71, 72, 73]
    await importAll(organization, 'positions', rows(numbers))
    const sent = request(organization, numbers)
    await eventually(async () => {
      expect(await organization.call(resolveWifiLocation, without(sent))).toMatchObject(near(58))
    }, soon)
    const alone = await organization.call(resolveWifiLocation, without(sent))
    // The second time from the cache.
    for (let time = 1; time <= 2; time++) {
      const found = await organization.call(resolveWifiLocation, sent)
      expect(found).toMatchObject({ accessPoints: { known: 3, ranged: 3 } })
      expect(offBy(found)).toBeLessThan(2)
      expect(found?.uncertainty).toBeLessThan((alone?.uncertainty ?? NaN) / 2)
    }
    const { results } = await organization.call(resolveWifiBatch, {
      ...{ organization_id: organization.organizationId, project_id: PROJECT },
      scans: [{ accessPoints: sent.accessPoints }, { accessPoints: without(sent).accessPoints }],
    })
    expect(offBy(results[0]?.location ?? null)).toBeLessThan(2)
    expect(results[1]?.location).toEqual(alone)
    expect(alone?.accessPoints).not.toHaveProperty('ranged')
    // One alone changes nothing, nor do values out of range.
    const odd = sent.accessPoints.map((one, index) => ({
      ...one,
      distance: index === 0 ? one.distance : 5_000,
      distanceStandardDeviation: -1,
    }))
    const { accessPoints, ...rest } = alone ?? {}
    expect(await organization.call(resolveWifiLocation, { ...sent, accessPoints: odd })).toEqual({
      ...rest,
      accessPoints: { ...accessPoints, ranged: 0 },
    })
  })

  it('to access points of the base layer change nothing: they would reveal where one of them is', async () => {
    const numbers = [74, 75, 76]
    await importAll(callers.operator, 'positions', rows(numbers))
    const sent = request(other, numbers)
    await eventually(async () => {
      expect(await other.call(resolveWifiLocation, without(sent))).toMatchObject(near(58))
    }, soon)
    const alone = await other.call(resolveWifiLocation, without(sent))
    const found = await other.call(resolveWifiLocation, sent)
    expect(found).toEqual({ ...alone, accessPoints: { ...alone?.accessPoints, ranged: 0 } })
  })
})

it('a device is followed from its previous scans of two minutes, in single requests and in batches', async () => {
  await place(organization, 57, 11, 61, 62)
  await place(organization, 57.0003, 11, 63, 64)
  const heard = (signalStrength: number, ...numbers: readonly number[]) =>
    numbers.map((number) => ({ macAddress: address(number), signalStrength }))
  const scope = { organization_id: organization.organizationId, project_id: PROJECT }
  const scan = (...ages: readonly number[]) => ({
    accessPoints: heard(-60, 61, 62),
    previousScans: ages.map((age, index) => ({ age, accessPoints: heard(-61 - index, 63, 64) })),
  })
  const found = (...ages: readonly number[]) =>
    organization.call(resolveWifiLocation, { ...scope, ...scan(...ages) })
  await eventually(async () => {
    expect(await found()).toMatchObject(near(57))
  }, soon)
  const alone = await found()
  const followed = await found(4_000, 8_000, 12_000)
  expect(followed?.lat).toBeGreaterThan((alone?.lat ?? NaN) + 1e-5)
  expect(followed?.lat).toBeLessThan(57.0003)
  expect({ ...followed, lat: 0, lon: 0 }).toEqual({ ...alone, lat: 0, lon: 0 })
  expect(await found(121_000, 180_000)).toEqual(alone)
  const scans = [scan(4_000, 8_000, 12_000), scan()]
  const { results } = await organization.call(resolveWifiBatch, { ...scope, scans })
  expect(results).toEqual([{ location: followed }, { location: alone }])
})

describe('the layers', () => {
  it('of an organization wins over the shared one', async () => {
    await place(callers.operator, 50, 11, 11, 12)
    expect(await locate(organization, 11, 12)).toMatchObject(near(50))
    await place(organization, 51, 11, 11, 12)
    await eventually(async () => {
      expect(await locate(organization, 11, 12)).toMatchObject(near(51))
    }, soon)
    expect(await locate(other, 11, 12)).toMatchObject(near(50))
    await place(callers.operator, 52, 11, 11, 12)
    await eventually(async () => {
      expect(await locate(other, 11, 12)).toMatchObject(near(52))
    }, soon)
    expect(await locate(organization, 11, 12)).toMatchObject(near(51))
  })

  it('of one organization stays its own, also when it was just looked up', async () => {
    await place(organization, 53, 11, 21, 22)
    await eventually(async () => {
      expect(await locate(organization, 21, 22)).toMatchObject(near(53))
    }, soon)
    await expect(locate(other, 21, 22)).rejects.toMatchObject(NOWHERE)
    expect(await locate(organization, 21, 22)).toMatchObject(near(53))
    await expect(locate(other, 21, 22)).rejects.toMatchObject(NOWHERE)
  })

  it('are seen by every process soon after they have changed', async () => {
    const replica = await stack.addReplica('location')
    for (let i = 0; i < 20; i++) await expect(locate(organization, 31, 32)).rejects.toMatchObject(NOWHERE)
    await place(organization, 54, 11, 31, 32)
    await eventually(async () => {
      for (let i = 0; i < 20; i++) expect(await locate(organization, 31, 32)).toMatchObject(near(54))
    }, soon)
    await replica.stop()
  })

  it('that changed while NATS was away are seen when it is back', async () => {
    await expect(locate(organization, 41, 42)).rejects.toMatchObject(NOWHERE)
    await stack.part('nats').kill()
    const database = new pg.Client(stack.databaseUrls.location)
    await database.connect()
    for (const number of [41, 42])
      await database.query(`INSERT INTO access_points VALUES ($1, $2, 55, 11, 0, 0, 1, true, now())`, [
        Number.parseInt(address(number), 16),
        organization.organizationId,
      ])
    await database.end()
    await stack.part('nats').start()
    await eventually(
      async () => {
        expect(await locate(organization, 41, 42)).toMatchObject(near(55))
      },
      { withinMs: 30_000 },
    )
  })
})

it('reads a scan through the primary key, whatever is in the table', async () => {
  const admin = new pg.Client(stack.adminDatabaseUrl)
  await admin.connect()
  await admin.query('SET search_path = location')
  await admin.query(
    `INSERT INTO access_points SELECT ((i * 7919) & 281474976710655) & ~1099511627776 | 2199023255552, $1::uuid, 48, 11, 1, 1, 1, false, now()
     FROM generate_series(1::bigint, 200000) AS i ON CONFLICT DO NOTHING`,
    [BASE_LAYER],
  )
  await admin.query('ANALYZE access_points')
  const bssids = Array.from({ length: 40 }, (_, i) => 2199023255552 + i * 7919)
  const { rows } = await admin.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN ${readStationsSql(ACCESS_POINT)}`,
    stationParameters(ACCESS_POINT, organization.organizationId, bssids),
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  await admin.end()
  expect(plan).toMatch(/Index Scan using access_points_\d_pkey/)
  expect(plan).toMatch(/Index Scan using learned_access_points_\d_pkey/)
  expect(plan).not.toContain('Seq Scan')
})

describe('a database', () => {
  it('that is away gives an error that passes, and is used again when it is back', async () => {
    await expect(locate(organization, 101, 102)).rejects.toMatchObject(NOWHERE)
    await stack.part('postgres').kill()
    await expect(locate(organization, 103, 104)).rejects.toMatchObject({ code: 'service_unavailable' })
    await stack.part('postgres').start()
    await eventually(() => expect(locate(organization, 101, 102)).rejects.toMatchObject(NOWHERE), {
      withinMs: 30_000,
    })
  })

  it('that hangs gives that error in time, and is used again when it resumes', async () => {
    await expect(locate(organization, 105, 106)).rejects.toMatchObject(NOWHERE)
    const admin = new pg.Client(stack.adminDatabaseUrl)
    await admin.connect()
    // The parent first, which then makes no more connections.
    process.kill(stack.part('postgres').pid, 'SIGSTOP')
    const { rows } = await admin.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE usename = $1',
      ['location'],
    )
    await admin.end()
    const stopped = [stack.part('postgres').pid, ...rows.map(({ pid }) => pid)]
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    const calls = Array.from({ length: 20 }, (_, i) => locate(organization, 200 + 2 * i, 201 + 2 * i))
    const outcomes = await Promise.allSettled(calls)
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true)
    // And not `deadline_exceeded`, as when there was no answer in time.
    expect(outcomes).toEqual(
      outcomes.map(() => ({
        status: 'rejected',
        reason: expect.objectContaining({ code: 'service_unavailable' }),
      })),
    )
    await eventually(() => expect(locate(organization, 101, 102)).rejects.toMatchObject(NOWHERE), {
      withinMs: 30_000,
    })
  })
})
