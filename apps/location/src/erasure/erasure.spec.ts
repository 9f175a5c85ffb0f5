import { connectTo } from '@bearing/testing/connect-to'
import {
  exportAccessPoints,
  showAccessPointStatistics,
} from '@bearing/contracts/location/access-points/access-point'
import { forgetAccessPoint, forgetArea } from '@bearing/contracts/location/access-points/erase-stations'
import {
  decodeContribution,
  decodeReadings,
  encodeContribution,
  encodeReadings,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import { statisticsOf, WHOLE_WEIGHT } from '@bearing/positioning/learning/statistics/statistics'
import { encodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { lockLayers, takeLayer } from '../ground/locks.js'
import { Callers, importAll, type Caller } from '../testing/test-caller.js'

const callers = forSuite(() => Callers.open(testStack().natsUrl))
const database = forSuite(() => connectTo(testStack().databaseUrls.location))

type Organization = Caller & { readonly organizationId: string }

async function exported(caller: Organization): Promise<{ macAddress: string; lat: number; lon: number }[]> {
  const all = []
  let cursor: string | null | undefined
  do {
    const { data, next } = await caller.call(exportAccessPoints, {
      organization_id: caller.organizationId,
      ...(cursor && { cursor }),
    })
    all.push(...data)
    cursor = next
  } while (cursor !== null)
  return all
}

const addresses = async (caller: Organization) => (await exported(caller)).map(({ macAddress }) => macAddress)

const ONE = '02:f0:00:00:00:01'
const OTHER = '02:f0:00:00:00:02'
const HOME = { lat: 48.1372, lon: 11.5755 }
/** About 111 m to the north. */
const NEAR = { lat: HOME.lat + 0.001, lon: HOME.lon }
const heard = (mac: string, { lat, lon } = HOME): [string, number, number, number] => [mac, lat, lon, -50]

describe('an export', () => {
  it('has all access points of the organization, in parts, and nothing of others or of the shared ones', async () => {
    const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
    const rows = Array.from({ length: 4_500 }, (_, index): [string, number, number, null] => [
      (0x02_e0_00_00_00_00 + index).toString(16).padStart(12, '0'),
      48 + index / 1e5,
      11,
      null,
    ])
    await importAll(mine, 'positions', rows)
    await importAll(theirs, 'positions', [
      ['02:e0:00:00:00:07', 1, 1, null],
      ['02:e1:00:00:00:00', 1, 1, null],
    ])
    await importAll(callers.operator, 'positions', [['02:e0:00:00:00:08', 2, 2, null]])
    const all = await exported(mine)
    expect(all.map(({ macAddress }) => macAddress.replaceAll(':', ''))).toEqual(rows.map(([mac]) => mac))
    expect(all[7]?.lat).toBeCloseTo(48.00007, 9)
    expect((await exported(theirs)).map(({ lat }) => Math.round(lat))).toEqual([1, 1])
    await expect(
      mine.call(exportAccessPoints, { organization_id: theirs.organizationId }),
    ).rejects.toMatchObject({ code: 'organization_not_found' })
  })

  it('of nothing is empty, and a cursor of nobody is refused', async () => {
    const mine = await callers.newOrganization()
    expect(await exported(mine)).toEqual([])
    await expect(
      mine.call(exportAccessPoints, { organization_id: mine.organizationId, cursor: 'x' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('an erased access point or area', () => {
  it('does not come back, and others keep theirs', async () => {
    const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
    for (const caller of [mine, theirs]) await importAll(caller, 'observations', [heard(ONE), heard(OTHER)])
    const scope = { organization_id: mine.organizationId }
    expect(await mine.call(forgetAccessPoint, { ...scope, macAddress: ONE })).toEqual({ removed: 1 })
    expect(await mine.call(forgetAccessPoint, { ...scope, macAddress: ONE })).toEqual({ removed: 0 })
    expect(await addresses(mine)).toEqual([OTHER])
    for (const content of ['observations', 'positions'] as const)
      await importAll(mine, content, [heard(ONE), heard(OTHER)])
    expect(await addresses(mine)).toEqual([OTHER])
    expect(await addresses(theirs)).toEqual([ONE, OTHER])
    expect(await mine.call(showAccessPointStatistics, scope)).toMatchObject({
      organization: { access_points: 1, observations: 1 },
    })
  })

  it('as an area does not come back, nor what was in it from around it', async () => {
    const mine = await callers.newOrganization()
    const scope = { organization_id: mine.organizationId }
    await importAll(mine, 'observations', [heard(ONE), heard(OTHER, NEAR)])
    expect(await mine.call(forgetArea, { ...scope, ...HOME, radius: 100 })).toEqual({ removed: 1 })
    await importAll(mine, 'observations', [
      heard(ONE, NEAR),
      heard('02:f0:00:00:00:03', HOME),
      heard('02:f0:00:00:00:04', NEAR),
    ])
    expect(await addresses(mine)).toEqual([OTHER, '02:f0:00:00:00:04'])
  })

  it('is erased at the poles and at the antimeridian, too', async () => {
    const mine = await callers.newOrganization()
    const scope = { organization_id: mine.organizationId }
    await importAll(mine, 'positions', [
      [ONE, 89.9999, -90, null],
      [OTHER, 0, 179.9999, null],
    ])
    expect(await mine.call(forgetArea, { ...scope, lat: 90, lon: 0, radius: 50 })).toEqual({ removed: 1 })
    expect(await mine.call(forgetArea, { ...scope, lat: 0, lon: -179.9999, radius: 50 })).toEqual({
      removed: 1,
    })
  })

  it('is not located with any more, however warm the cache is', async () => {
    const mine = await callers.newOrganization()
    const scope = { organization_id: mine.organizationId }
    const macs = ['02:f0:00:01:00:00', '02:f0:00:02:00:00', '02:f0:00:03:00:00']
    await importAll(
      mine,
      'observations',
      macs.map((mac) => heard(mac)),
    )
    const locate = () =>
      mine.call(resolveWifiLocation, {
        ...scope,
        project_id: mine.organizationId,
        accessPoints: macs.map((macAddress) => ({ macAddress, signalStrength: -50 })),
      })
    await eventually(async () => expect(await locate()).toMatchObject({ fulfilledWith: 'WIFI' }), {
      withinMs: 10_000,
    })
    await mine.call(forgetArea, { ...scope, ...HOME, radius: 100 })
    await eventually(() => expect(locate()).rejects.toMatchObject({ code: 'location_not_found' }), {
      withinMs: 10_000,
    })
  })

  it('as an area is not located with any more either where it was learned, once it was swept', async () => {
    const mine = await callers.newOrganization()
    const scope = { organization_id: mine.organizationId }
    const macs = ['02:f0:00:11:00:00', '02:f0:00:12:00:00', '02:f0:00:13:00:00']
    const observation = { ...HOME, signalDbm: -50, weight: WHOLE_WEIGHT, day: 20_600 }
    for (const mac of macs)
      await database.query('INSERT INTO learned_access_points VALUES ($1, $2, $3, now())', [
        Number.parseInt(mac.replaceAll(':', ''), 16),
        mine.organizationId,
        Buffer.from(encodeStatistics(statisticsOf(observation))),
      ])
    const locate = () =>
      mine.call(resolveWifiLocation, {
        ...scope,
        project_id: mine.organizationId,
        accessPoints: macs.map((macAddress) => ({ macAddress, signalStrength: -50 })),
      })
    // While somebody learns in the layer nothing is swept there, and what is read is cached.
    await database.query('BEGIN')
    await lockLayers(database, [mine.organizationId])
    await mine.call(forgetArea, { ...scope, ...HOME, radius: 100 })
    await eventually(async () => expect(await locate()).toMatchObject({ fulfilledWith: 'WIFI' }), {
      withinMs: 10_000,
    })
    await database.query('COMMIT')
    await eventually(() => expect(locate()).rejects.toMatchObject({ code: 'location_not_found' }), {
      withinMs: 20_000,
    })
    expect(await addresses(mine)).toEqual([])
  })

  it('is erased while others learn of the same access points, whatever the order in which rows lie', async () => {
    const mine = await callers.newOrganization()
    const macs = ['02:f0:00:21:00:00', '02:f0:00:22:00:00', '02:f0:00:23:00:00']
    const bssids = macs.map((mac) => Number.parseInt(mac.replaceAll(':', ''), 16))
    await importAll(
      mine,
      'observations',
      macs.map((mac) => heard(mac)),
    )
    const observation = { ...HOME, signalDbm: -50, weight: WHOLE_WEIGHT, day: 20_600 }
    for (const bssid of bssids.toReversed())
      await database.query('INSERT INTO learned_access_points VALUES ($1, $2, $3, now())', [
        bssid,
        mine.organizationId,
        Buffer.from(encodeStatistics(statisticsOf(observation))),
      ])
    const lock = (bssid: number | undefined) =>
      database.query(
        'SELECT FROM learned_access_points WHERE bssid = $1 AND organization_id = $2 FOR UPDATE NOWAIT',
        [bssid, mine.organizationId],
      )
    await database.query('BEGIN')
    await lockLayers(database, [mine.organizationId])
    await lock(bssids[0])
    const erased = mine.call(forgetArea, { organization_id: mine.organizationId, ...HOME, radius: 100 })
    await eventually(async () => {
      const { rows } = await database.query('SELECT FROM pg_locks WHERE NOT granted AND locktype <> $1', [
        'advisory',
      ])
      expect(rows).not.toEqual([])
    })
    for (const bssid of bssids.slice(1)) await lock(bssid)
    await database.query('COMMIT')
    expect(await erased).toEqual({ removed: 3 })
  })

  it('is erased while its layer is rebuilt, and gone as soon as that is done', async () => {
    const mine = await callers.newOrganization()
    const bssid = Number.parseInt(ONE.replaceAll(':', ''), 16)
    const observation = { ...HOME, signalDbm: -50, weight: WHOLE_WEIGHT, day: 20_600 }
    await database.query('INSERT INTO learned_access_points VALUES ($1, $2, $3, now())', [
      bssid,
      mine.organizationId,
      Buffer.from(encodeStatistics(statisticsOf(observation))),
    ])
    await database.query('BEGIN')
    await takeLayer(database, mine.organizationId)
    await database.query('DELETE FROM learned_access_points WHERE organization_id = $1', [
      mine.organizationId,
    ])
    await database.query('INSERT INTO learned_access_points VALUES ($1, $2, $3, now())', [
      bssid,
      mine.organizationId,
      Buffer.from(encodeStatistics(statisticsOf(observation))),
    ])
    await mine.call(forgetAccessPoint, { organization_id: mine.organizationId, macAddress: ONE })
    await database.query('COMMIT')
    await eventually(async () => {
      const { rows } = await database.query('SELECT FROM learned_access_points WHERE organization_id = $1', [
        mine.organizationId,
      ])
      expect(rows).toEqual([])
    })
  })

  it('is in the audit log', async () => {
    const mine = await callers.newOrganization()
    const scope = { organization_id: mine.organizationId }
    await mine.call(forgetAccessPoint, { ...scope, macAddress: ONE })
    await mine.call(forgetArea, { ...scope, ...HOME, radius: 100 })
    const { rows } = await database.query(
      'SELECT action, actor_kind, details FROM audit_log WHERE organization_id = $1 ORDER BY id',
      [mine.organizationId],
    )
    expect(rows).toEqual([
      { action: 'access_point.forgotten', actor_kind: 'user', details: {} },
      { action: 'area.forgotten', actor_kind: 'user', details: { ...HOME, radius: 100, removed: 0 } },
    ])
  })

  it('is refused of what no access point can be, and of the base layer', async () => {
    const mine = await callers.newOrganization()
    await expect(
      mine.call(forgetAccessPoint, { organization_id: mine.organizationId, macAddress: 'ff:ff:ff:ff:ff:ff' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(
      mine.call(forgetAccessPoint, { organization_id: null, macAddress: ONE }),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^(organization_not_found|permission_denied)$/) as unknown,
    })
    await importAll(callers.operator, 'positions', [[ONE, 1, 1, null]])
    expect(
      await callers.operator.call(forgetAccessPoint, { organization_id: null, macAddress: ONE }),
    ).toEqual({
      removed: 1,
    })
  })

  it('is gone from what was contributed and from reference scans', async () => {
    const mine = await callers.newOrganization()
    const scope = { organization_id: mine.organizationId }
    const readings = [ONE, OTHER, '02:f0:00:00:00:03'].map((mac) => ({
      bssid: Number.parseInt(mac.replaceAll(':', ''), 16),
      signalDbm: -50,
    }))
    const contribution = (place: typeof HOME, heardThere = readings) =>
      Buffer.from(
        encodeContribution({
          ...place,
          accuracyMeters: 5,
          atSeconds: 1,
          readings: heardThere,
          learned: heardThere,
        }),
      )
    const [both, alone, inside] = [v7(), v7(), v7()]
    for (const [id, bytes] of [
      [both, contribution(NEAR)],
      [alone, contribution(NEAR, readings.slice(0, 1))],
      [inside, contribution(HOME, readings.slice(1))],
    ])
      await database.query('INSERT INTO observations VALUES ($1, $2, $3, now(), NULL, $4)', [
        id,
        mine.organizationId,
        mine.organizationId,
        bytes,
      ])
    await database.query('INSERT INTO reference_scans VALUES ($1, 1, $2, $3, 1, $4, $5, 5, $6, now())', [
      mine.organizationId,
      both,
      mine.organizationId,
      NEAR.lat,
      NEAR.lon,
      Buffer.from(encodeReadings(readings)),
    ])
    await mine.call(forgetAccessPoint, { ...scope, macAddress: ONE })
    await mine.call(forgetArea, { ...scope, ...HOME, radius: 50 })
    await eventually(
      async () => {
        const { rows } = await database.query<{ id: string; contribution: Buffer | null }>(
          'SELECT id, contribution FROM observations WHERE organization_id = $1 ORDER BY id',
          [mine.organizationId],
        )
        const [first, second, third] = rows
        expect(first?.contribution && decodeContribution(first.contribution)).toMatchObject({
          readings: readings.slice(1),
          learned: readings.slice(1),
        })
        expect([second?.contribution, third?.contribution]).toEqual([null, null])
        const { rows: references } = await database.query<{ readings: Buffer }>(
          'SELECT readings FROM reference_scans WHERE organization_id = $1',
          [mine.organizationId],
        )
        const others = readings.slice(1).map(({ bssid, signalDbm }) => [bssid, signalDbm])
        expect(references.map((row) => decodeReadings(row.readings))).toEqual([others])
      },
      { withinMs: 20_000 },
    )
  })
})
