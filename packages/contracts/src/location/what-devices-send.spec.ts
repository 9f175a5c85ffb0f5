import { describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { resolveCellLocation } from './cell.js'
import { geolocate } from './geolocate.js'
import { resolveGroundFix } from './ground-fix.js'
import { submitObservations } from './observation.js'
import { resolveWifiLocation } from './wifi.js'

const SCOPE = {
  organization_id: '019ab0c2-0000-7000-8000-000000000000',
  project_id: '019ab0c2-0000-7000-8000-000000000001',
}
const HEARD = { macAddress: '02:00:5e:00:00:10', signalStrength: -50 }
const CELL = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }

function read<Input extends z.ZodType>({ input }: { readonly input: Input }, sent: object): z.output<Input> {
  return input.parse({ ...SCOPE, ...sent })
}

function mistakesOf({ input }: { readonly input: z.ZodType }, sent: object) {
  return input.safeParse({ ...SCOPE, ...sent }).error?.issues.map(({ path, message }) => [path, message])
}

describe('null', () => {
  it('stands for nothing, wherever a list or an option may be left out', () => {
    const options = { confidence: null, reply: null, device_id: null }
    const cells = { cellTowers: null, lte: null }
    for (const [operation, sent] of [
      [resolveWifiLocation, { ...options, accessPoints: null }],
      [resolveWifiLocation, {}],
      [resolveCellLocation, { ...options, ...cells }],
      [resolveGroundFix, { ...options, ...cells, wifi: null, accessPoints: null }],
      [resolveGroundFix, { wifi: { accessPoints: null } }],
      [geolocate, { wifiAccessPoints: null, cellTowers: null, radioType: null }],
    ] as const)
      expect(mistakesOf(operation, sent)).toBeUndefined()
    expect(read(resolveWifiLocation, options)).toMatchObject({ confidence: 68, reply: true })
    const [item] = read(submitObservations, {
      items: [{ position: { latitude: 48, longitude: 11 }, wifiAccessPoints: null, cellTowers: null }],
    }).items
    expect(item).toMatchObject({ wifiAccessPoints: [] })
  })
})

describe('a measured distance', () => {
  it.each([
    [
      { distance: 4.25, distanceStandardDeviation: 0.3 },
      { distance: 4.25, distanceStandardDeviation: 0.3 },
    ],
    [{ distance: '4.25' }, { distance: 4.25 }],
    [{ distance: -0.4 }, { distance: -0.4 }],
    [{ distance: -11, distanceStandardDeviation: -1 }, {}],
    [{ distance: 1_001, distanceStandardDeviation: 1_001 }, {}],
    [{ distance: null, distanceStandardDeviation: {} }, {}],
  ])('counts as not given if it is out of range or no number: %j', (sent, expected) => {
    const [found] = read(resolveWifiLocation, { accessPoints: [{ ...HEARD, ...sent }] }).accessPoints ?? []
    const { distance, distanceStandardDeviation } = found ?? {}
    expect({ distance, distanceStandardDeviation }).toEqual(expected)
  })

  it('is accepted in observations as well', () => {
    const item = {
      position: { latitude: 48, longitude: 11 },
      wifiAccessPoints: [{ ...HEARD, distance: 4, distanceStandardDeviation: 0.2 }],
    }
    expect(read(submitObservations, { items: [item] }).items[0]?.wifiAccessPoints).toMatchObject([
      { distance: 4, distanceStandardDeviation: 0.2 },
    ])
  })
})

describe('an access point', () => {
  const one = (sent: unknown) => read(resolveWifiLocation, { accessPoints: [HEARD, sent] }).accessPoints?.[1]

  it.each([
    ['null', null],
    ['nothing of it', {}],
    ['no address', { ...HEARD, macAddress: null }],
    ['an empty one', { ...HEARD, macAddress: '' }],
    ['one that is none', { ...HEARD, macAddress: '<unknown>' }],
    ['a number for one', { ...HEARD, macAddress: 2 }],
  ])('that cannot be read costs itself: %s', (_, sent) => {
    expect(one(sent)).toBeUndefined()
    expect(read(resolveWifiLocation, { accessPoints: [sent, HEARD] }).accessPoints?.[1]).toMatchObject({
      signalStrength: -50,
    })
    const position = { latitude: 48, longitude: 11 }
    const { items } = read(submitObservations, { items: [{ position, wifiAccessPoints: [sent, HEARD] }] })
    expect(items[0]?.wifiAccessPoints).toMatchObject([{ macAddress: 0x02_00_5e_00_00_10 }])
  })

  it('has numbers as texts, too, and what is none counts as not given', () => {
    expect(
      one({ ...HEARD, signalStrength: '-50', age: ' 1500 ', channel: '11', frequency: '2437.0' }),
    ).toEqual(one({ ...HEARD, signalStrength: -50, age: 1_500, channel: 11, frequency: 2_437 }))
    for (const none of ['', 'n/a', '0x10', '1e3', 'NaN', '-', true, {}, [-50]])
      expect(one({ ...HEARD, signalStrength: none, age: none })).toMatchObject({
        macAddress: 0x02_00_5e_00_00_10,
        signalStrength: undefined,
        age: undefined,
      })
    for (const ssid of [1234, true, [], {}])
      expect(one({ ...HEARD, ssid })).toMatchObject({ ssid: undefined })
  })

  it('is an object: another shape is a mistake, reported with its place', () => {
    for (const sent of ['02:00:5e:00:00:10', 7, [HEARD], true])
      expect(mistakesOf(resolveWifiLocation, { accessPoints: [HEARD, sent] })).toEqual([
        [['accessPoints', 1], 'must be an object'],
      ])
  })
})

describe('previous scans', () => {
  const previous = (previousScans: unknown) => ({ accessPoints: [HEARD], previousScans })

  it('are read as scans are, and may be left out', () => {
    for (const operation of [resolveWifiLocation, resolveGroundFix] as const) {
      for (const nothing of [null, undefined, []])
        expect(mistakesOf(operation, previous(nothing))).toBeUndefined()
      const sent = [{ age: 15_000, accessPoints: [HEARD, { macAddress: 'x' }], more: 1 }]
      const [scan] = read(operation, previous(sent)).previousScans ?? []
      expect(scan).toMatchObject({ age: 15_000, accessPoints: [{ signalStrength: -50 }, undefined] })
    }
  })

  it.each([
    ['no list', {}, []],
    ['one that is none', [1], [0]],
    ['one without an age', [{ accessPoints: [HEARD] }], [0, 'age']],
    ['one of the future', [{ age: -1, accessPoints: [] }], [0, 'age']],
    ['one of more than an hour ago', [{ age: 3_600_001, accessPoints: [] }], [0, 'age']],
    ['one without access points', [{ age: 1 }], [0, 'accessPoints']],
    ['eleven', Array.from({ length: 11 }, () => ({ age: 1, accessPoints: [] })), []],
  ])('are refused with their place: %s', (_, sent, place) => {
    expect(mistakesOf(resolveWifiLocation, previous(sent))).toEqual([
      [['previousScans', ...place], expect.any(String)],
    ])
  })
})

describe('a cell', () => {
  it('costs itself where a part of it cannot be read', () => {
    const { cellTowers, lte } = read(resolveGroundFix, {
      cellTowers: [null, { ...CELL, cellId: 'unknown' }, { ...CELL, mobileCountryCode: '262' }],
      lte: [null, { mcc: {}, mnc: [], tac: '007' }],
    })
    expect(cellTowers).toEqual([undefined, { ...CELL, cellId: undefined }, CELL])
    expect(lte).toEqual([undefined, { tac: 7 }])
  })

  it('has no radio type where that is empty, and one that nobody knows where it is no text', () => {
    const types = ['', null, 'gsm', 3].map(
      (radioType) => read(resolveCellLocation, { cellTowers: [{ ...CELL, radioType }] }).cellTowers?.[0],
    )
    expect(types.map((cell) => cell?.radioType)).toEqual([undefined, undefined, 'gsm', '?'])
    expect(read(geolocate, { radioType: '' }).radioType).toBeUndefined()
  })
})

describe('a ground fix', () => {
  const many = (count: number) => Array.from({ length: count }, () => HEARD)

  it('has at most 256 access points in both of its lists together', () => {
    expect(mistakesOf(resolveGroundFix, { accessPoints: many(128), wifi: many(128) })).toBeUndefined()
    for (const sent of [
      { accessPoints: many(128), wifi: many(129) },
      { accessPoints: many(1), wifi: { accessPoints: many(256) } },
    ])
      expect(mistakesOf(resolveGroundFix, sent)).toEqual([
        [['wifi'], 'must have at most 256 access points, those of accessPoints included'],
      ])
  })
})
