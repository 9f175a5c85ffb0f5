import { connectTo } from '@bearing/testing/connect-to'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { OperationError } from '@bearing/contracts/errors'
import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Output, Request } from '@bearing/contracts/operation'
import { encodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import { WHOLE_WEIGHT, merge, statisticsOf } from '@bearing/positioning/learning/statistics/statistics'
import { v7 } from 'uuid'
import { RADIO_CELL } from '../../ground/stations/radio-cell.js'
import { readStationsSql, stationParameters } from '../known-stations.js'
import { BASE_LAYER } from '../../ground/layer.js'
import { Callers, importAll } from '../../testing/test-caller.js'

type Sent = NonNullable<Request<typeof resolveWifiLocation>['accessPoints']>
type Heard = NonNullable<Sent[number]>

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const organization = forSuite(() => callers.newOrganization())
const database = forSuite(() => connectTo(stack.databaseUrls.location))
beforeAll(async () => {
  await importAll(
    callers.operator,
    'positions',
    [1, 2, 3, 4].map((number) => [address(number), 48 + number * 1e-5, 11, null]),
  )
  await importAll(organization, 'positions', [[address(100), 50, 11, null]])
})

const PROJECT = v7()
/** Each of a radio of its own. */
const address = (number: number) => (0x02_aa_00_00_00_00 + number * 64).toString(16).padStart(12, '0')
const heard = (...numbers: readonly number[]): Heard[] =>
  numbers.map((number) => ({ macAddress: address(number), signalStrength: -60 }))
const scope = () => ({ organization_id: organization.organizationId, project_id: PROJECT })
const locate = (
  accessPoints: Sent,
  options: Partial<Request<typeof resolveWifiLocation>> = {},
): Promise<Output<typeof resolveWifiLocation>> =>
  organization.call(resolveWifiLocation, { ...scope(), accessPoints, ...options })

describe('a Wi-Fi scan', () => {
  it('says how many access points were received, usable, known near the position, used and unknown', async () => {
    const sent = [...heard(1, 2, 3, 900), ...heard(1), { macAddress: 'ff:ff:ff:ff:ff:ff' }]
    expect(await locate(sent)).toMatchObject({
      fulfilledWith: 'WIFI',
      accessPoints: { received: 6, usable: 4, known: 3, used: 3, unknown: 1 },
    })
  })

  it('has a wider circle for a higher confidence', async () => {
    const radius = async (confidence?: number) =>
      (await locate(heard(1, 2), confidence === undefined ? {} : { confidence }))?.uncertainty ?? Number.NaN
    const [half, usual, most] = [await radius(50), await radius(), await radius(99)]
    expect(half).toBeLessThan(usual)
    expect(most).toBeGreaterThan(1.5 * usual)
    for (const confidence of [49, 100])
      expect(await locate(heard(1, 2), { confidence })).toMatchObject({
        uncertainty: usual,
        leftOut: [{ pointer: '/confidence' }],
      })
  })

  it('is located without access points that opted out, or were heard long before the rest', async () => {
    const [one, two, ...rest] = heard(1, 2, 3)
    for (const unused of [
      { ssid: 'Home_nomap' },
      { ssid: 'x_OPTOUT_y' },
      { age: 25_000 },
      { age: 7_200_000 },
    ]) {
      const fresh = [one, two].flatMap((each) => (each ? [{ ...each, age: 0, ssid: 'Café' }] : []))
      const found = await locate([...fresh, ...rest.map((each) => ({ ...each, ...unused }))])
      expect(found?.accessPoints).toEqual({ received: 3, usable: 2, known: 2, used: 2, unknown: 0 })
    }
  })

  it('is located in spite of numbers that are out of range', async () => {
    const odd = { channel: 9_999, frequency: 1, age: 1e12, signalToNoiseRatio: 0, signalStrength: 40 }
    expect(await locate(heard(1, 2).map((each) => ({ ...each, ...odd })))).toMatchObject({
      accessPoints: { used: 2 },
    })
  })

  it('is located in spite of entries that cannot be read, and counts them as received', async () => {
    const unreadable = [null, { macAddress: '' }, { macAddress: 'unknown', signalStrength: -40 }]
    expect(await locate([...unreadable, ...heard(1, 2)])).toMatchObject({
      fulfilledWith: 'WIFI',
      accessPoints: { received: 5, usable: 2, known: 2, used: 2 },
    })
  })

  it('says which entries could not be read where what is left is too little', async () => {
    const pointer = '/accessPoints/1/macAddress'
    await expect(locate([...heard(1), { macAddress: '' }])).rejects.toMatchObject({
      code: 'too_few_access_points',
      message: expect.stringContaining(` ${pointer} must be a MAC address`) as unknown,
      details: {
        reason: 'too_few_usable',
        accessPoints: { received: 2, usable: 1 },
        errors: [{ pointer, detail: expect.stringMatching(/^must be a MAC address/) as unknown }],
      },
    })
    const many = Array.from({ length: 256 }, () => null)
    const error = await locate(many).catch((thrown: unknown) => thrown as OperationError)
    expect(error).toMatchObject({ message: expect.stringContaining('(and 255 more)') as unknown })
    expect((error as OperationError).details.errors).toHaveLength(50)
  })

  it('of nothing is answered with how many it takes, and why', async () => {
    const none = {
      code: 'too_few_access_points',
      details: { reason: 'too_few_usable', accessPoints: { received: 0, usable: 0 } },
    }
    await expect(locate([])).rejects.toMatchObject(none)
    await expect(organization.call(resolveWifiLocation, scope())).rejects.toMatchObject(none)
    await expect(
      organization.call(resolveWifiLocation, { ...scope(), accessPoints: null }),
    ).rejects.toMatchObject(none)
  })

  it('is not answered where no reply is wanted, but refused where it is wrong', async () => {
    expect(await locate(heard(1, 2), { reply: false })).toBeNull()
    await expect(locate(heard(1), { reply: false })).rejects.toMatchObject({ code: 'too_few_access_points' })
  })

  it('of one radio is located where it is the organization’s own, and else not', async () => {
    expect(await locate(heard(100))).toMatchObject({
      accessPoints: { received: 1, usable: 1, known: 1, used: 1 },
    })
    await expect(locate(heard(1))).rejects.toMatchObject({
      code: 'too_few_access_points',
      details: { reason: 'too_few_usable', accessPoints: { received: 1, usable: 1 } },
    })
    // Its sibling is the same radio.
    const siblings = heard(1).flatMap((each) => [
      each,
      { ...each, macAddress: `${each.macAddress.slice(0, -1)}1` },
    ])
    await expect(locate([null, ...siblings])).rejects.toMatchObject({
      code: 'too_few_access_points',
      message: expect.stringContaining(
        ' /accessPoints/1 and /accessPoints/2 are addresses of one box.',
      ) as unknown,
    })
  })

  it('is answered the same whether a single one of others’ access points in it is known', async () => {
    const answer = (numbers: readonly number[]) =>
      locate(heard(...numbers)).catch((error: unknown) => error as Record<string, unknown>)
    const [known, unknown] = [await answer([1, 901]), await answer([902, 901])]
    expect(known).toMatchObject({ code: 'location_not_found' })
    expect(JSON.stringify(known)).toBe(JSON.stringify(unknown))
    expect(await answer([1, 100])).toEqual(await answer([902, 100]))
  })

  const learn = (layer: string, number: number, lat: number) => {
    const day = Math.floor(Date.now() / 86_400_000)
    const observation = { lat, lon: 12, signalDbm: -60, weight: WHOLE_WEIGHT, day }
    const statistics = encodeStatistics(merge([0, 1, 2].map(() => statisticsOf(observation))))
    return database.query(
      'INSERT INTO learned_access_points (bssid, organization_id, statistics, updated_at) VALUES ($1, $2, $3, now())',
      [Number.parseInt(address(number), 16), layer, Buffer.from(statistics)],
    )
  }

  it('is never located by what was learned in the base layer by a version before', async () => {
    for (const number of [212, 222]) await learn(BASE_LAYER, number, 52.1)
    await expect(locate(heard(212, 222))).rejects.toMatchObject({ code: 'location_not_found' })
  })

  it('of two addresses of one shared box is not located, although their last digits are at a border', async () => {
    for (const [one, two] of [
      ['50c7bfaabbc0', '50c7bfaabbbf'],
      ['9c3dcf010203', '9c3dcf010213'],
    ] as const) {
      await importAll(callers.operator, 'positions', [
        [one, 47, 11, null],
        [two, 47, 11, null],
      ])
      const box = [one, two].map((macAddress) => ({ macAddress, signalStrength: -60 }))
      await expect(locate(box)).rejects.toMatchObject({ code: 'too_few_access_points' })
      await expect(locate([...box, ...heard(901)])).rejects.toMatchObject({ code: 'location_not_found' })
    }
  })

  it('of a foreign access point and others’ from all over the town does not reveal the foreign one, and one from there does', async () => {
    const town = Array.from({ length: 40 }, (_, index) => 400 + index)
    await importAll(
      callers.operator,
      'positions',
      town.map((number, index) => [address(number), 54 + index * 0.01, 11, null]),
    )
    await importAll(callers.operator, 'positions', [[address(450), 54.1, 11, null]])
    const answer = (...numbers: number[]) => locate(heard(...numbers)).catch((error: unknown) => error)
    const refused = JSON.stringify(await answer(...town.map((number) => number + 600), 902))
    expect(JSON.stringify(await answer(...town, 450))).toBe(refused)
    expect(JSON.stringify(await answer(...town, 902))).toBe(refused)
    expect(await answer(450, ...town.slice(9, 12))).toMatchObject({ accessPoints: { known: 2 } })
  })

  it('is located by what the organization has learned, and by nobody else', async () => {
    for (const number of [201, 202]) await learn(organization.organizationId, number, 51)
    const other = await callers.newOrganization()
    const asked = { project_id: PROJECT, accessPoints: heard(201, 202) }
    expect((await organization.call(resolveWifiLocation, { ...scope(), ...asked }))?.lat).toBeCloseTo(51, 5)
    await expect(
      other.call(resolveWifiLocation, { organization_id: other.organizationId, ...asked }),
    ).rejects.toMatchObject({ code: 'location_not_found' })
  })
})

describe('radio cells', () => {
  const insert = (layer: string, cell: number, lat: number, range = 1_000) =>
    database.query('INSERT INTO cells VALUES (4, 262, 1, 77, $1, $2, $3, 11, $4, 100, now())', [
      cell,
      layer,
      lat,
      range,
    ])
  const lte = (...cells: readonly number[]) => cells.map((eci) => ({ mcc: 262, mnc: 1, tac: 77, eci }))
  beforeAll(async () => {
    await insert(BASE_LAYER, 1, 48)
    await insert(BASE_LAYER, 2, 48.01)
    await insert(BASE_LAYER, 3, 49)
    await insert(organization.organizationId, 3, 50)
  })

  it('locate in both shapes, each once, one and several', async () => {
    const tower = {
      radioType: 'lte',
      mobileCountryCode: 262,
      mobileNetworkCode: 1,
      locationAreaCode: 77,
      cellId: 1,
    }
    const one = await organization.call(resolveCellLocation, { ...scope(), lte: lte(1), cellTowers: [tower] })
    expect(one).toMatchObject({
      lat: expect.closeTo(48, 6) as unknown,
      fulfilledWith: 'SCELL',
      cells: { received: 2, usable: 1, known: 1, used: 1 },
    })
    const two = await organization.call(resolveCellLocation, { ...scope(), lte: lte(1, 2) })
    expect(two).toMatchObject({ fulfilledWith: 'MCELL', cells: { used: 2 } })
  })

  it('of an organization win over the shared ones, for it alone', async () => {
    const other = await callers.newOrganization()
    expect(await organization.call(resolveCellLocation, { ...scope(), lte: lte(3) })).toMatchObject({
      lat: expect.closeTo(50, 6) as unknown,
    })
    const there = { organization_id: other.organizationId, project_id: PROJECT }
    expect(await other.call(resolveCellLocation, { ...there, lte: lte(3) })).toMatchObject({
      lat: expect.closeTo(49, 6) as unknown,
    })
  })

  it('that are not known, or are none, say so', async () => {
    await expect(organization.call(resolveCellLocation, { ...scope(), lte: lte(9) })).rejects.toMatchObject({
      code: 'location_not_found',
      details: { reason: 'none_known' },
    })
    const none = [{ mcc: 262 }, { ...lte(1)[0], eci: 2 ** 28 }, { ...lte(1)[0], mcc: 0 }]
    await expect(organization.call(resolveCellLocation, { ...scope(), lte: none })).rejects.toMatchObject({
      code: 'nothing_usable',
    })
  })

  it('are read through the primary key', async () => {
    await database.query('SET enable_seqscan = off')
    const cells = [{ radio: 4, mcc: 262, mnc: 1, area: 77, cell: 1 } as const]
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${readStationsSql(RADIO_CELL)}`,
      stationParameters(RADIO_CELL, organization.organizationId, cells),
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using cells_pkey/)
  })

  it('are the second choice of a ground fix, which takes the scan in every shape', async () => {
    const fix = (more: object) => organization.call(resolveGroundFix, { ...scope(), lte: lte(1), ...more })
    for (const scan of [
      { accessPoints: heard(1, 2) },
      { wifi: heard(1, 2) },
      { wifi: { accessPoints: heard(1, 2) } },
    ])
      expect(await fix(scan)).toMatchObject({ fulfilledWith: 'WIFI', accessPoints: { used: 2 } })
    expect(await fix({ wifi: heard(1) })).toMatchObject({
      fulfilledWith: 'SCELL',
      accessPoints: { usable: 1 },
    })
    expect(await fix({})).toMatchObject({ fulfilledWith: 'SCELL' })
    expect(await fix({ reply: false })).toBeNull()
    const usual = (await fix({}))?.uncertainty ?? Number.NaN
    expect((await fix({ confidence: 95 }))?.uncertainty).toBeGreaterThan(usual)
    // Cells that nobody had to look up could be used all the same.
    const both = { wifi: heard(1, 2), lte: [...lte(1, 9), null, { mcc: 262 }] }
    expect((await fix(both))?.cells).toEqual({ received: 4, usable: 2, known: 0, used: 0 })
    await expect(fix({ lte: [] })).rejects.toMatchObject({ code: 'nothing_usable' })
    await expect(fix({ lte: lte(9), wifi: heard(901, 902) })).rejects.toMatchObject({
      code: 'location_not_found',
      details: { accessPoints: { received: 2, usable: 2 } },
    })
  })
  it('stay what a ground fix is answered by where access points cannot be read, and without them it says which', async () => {
    const [one = null] = heard(1)
    const wrong = { macAddress: 'unknown' }
    const fix = (more: object) => organization.call(resolveGroundFix, { ...scope(), ...more })
    expect(await fix({ wifi: [wrong], lte: lte(1) })).toMatchObject({ fulfilledWith: 'SCELL' })
    expect(await fix({ wifi: [wrong, ...heard(1, 2)], lte: [null] })).toMatchObject({ fulfilledWith: 'WIFI' })
    for (const [sent, pointers] of [
      [{ wifi: [one, wrong] }, ['/wifi/1/macAddress']],
      [
        { accessPoints: [wrong], wifi: { accessPoints: [null, one] } },
        ['/accessPoints/0/macAddress', '/wifi/accessPoints/0/macAddress'],
      ],
    ] as const) {
      const error = await fix(sent).catch((thrown: unknown) => thrown as OperationError)
      expect(error).toMatchObject({ code: 'nothing_usable', details: { reason: 'too_few_usable' } })
      expect((error as OperationError).details.errors?.map(({ pointer }) => pointer)).toEqual(pointers)
    }
  })
})
