import { describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { resolveCellLocation } from '../cells/cell.js'
import { geolocate } from '../lookups/geolocate.js'
import { resolveGroundFix } from '../lookups/ground-fix.js'
import { allGiven, given, LeftOut, leftOutOf, mistakesIn } from '../access-points/left-out.js'
import { confidenceOf, wantsReply } from '../lookups/location-options.js'
import { submitObservations } from '../observations/observation.js'
import { resolveWifiLocation } from '../lookups/wifi.js'

const SCOPE = {
  organization_id: '019ab0c2-0000-7000-8000-000000000000',
  project_id: '019ab0c2-0000-7000-8000-000000000001',
}
const HEARD = { macAddress: '02:00:5e:00:00:10', signalStrength: -50 }
const CELL = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }

function read<Input extends z.ZodType>({ input }: { readonly input: Input }, sent: object): z.output<Input> {
  return input.parse({ ...SCOPE, ...sent })
}

function readItems(...items: readonly unknown[]) {
  return allGiven(read(submitObservations, { items }).items)
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
    const [item] = readItems({
      position: { latitude: 48, longitude: 11 },
      ...{ wifiAccessPoints: null, cellTowers: null },
    })
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
    expect(readItems(item)[0]?.wifiAccessPoints).toMatchObject([
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
    const [item] = readItems({ position, wifiAccessPoints: [sent, HEARD] })
    expect(item?.wifiAccessPoints).toMatchObject([{ macAddress: 0x02_00_5e_00_00_10 }])
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
      const [scan] = allGiven(read(operation, previous(sent)).previousScans)
      expect(scan).toMatchObject({ age: 15_000, accessPoints: [{ signalStrength: -50 }, undefined] })
    }
  })

  it.each([
    ['no list', {}, ''],
    ['one that is none', [1], '/0'],
    ['one without an age', [{ accessPoints: [HEARD] }], '/0/age'],
    ['one of more than an hour ago', [{ age: 3_600_001, accessPoints: [] }], '/0/age'],
    ['one without access points', [{ age: 1 }], '/0/accessPoints'],
    ['eleven', Array.from({ length: 11 }, (_, at) => ({ age: 11 - at, accessPoints: [] })), '/0'],
  ])('cost themselves, and are reported with their place: %s', (_, sent, place) => {
    const { previousScans } = read(resolveWifiLocation, previous(sent))
    expect(leftOutOf({ previousScans }).leftOut).toEqual([
      { pointer: `/previousScans${place}`, detail: expect.any(String) },
    ])
    if (Array.isArray(sent)) {
      const good = { age: 2_000, accessPoints: [HEARD] }
      const others = read(
        resolveWifiLocation,
        previous([...(sent as unknown[]).slice(0, 9), good]),
      ).previousScans
      expect(allGiven(others)).toContainEqual(expect.objectContaining({ age: 2_000 }))
    }
  })

  it('of the future are those of a clock with another sign', () => {
    const { previousScans } = read(resolveWifiLocation, previous([{ age: -9_000, accessPoints: [] }]))
    expect(previousScans).toEqual([{ age: 9_000, accessPoints: [] }])
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

describe('lists of any length', () => {
  it('are read: the body has a limit, and of what is in it the strongest count', () => {
    const many = Array.from({ length: 1_000 }, () => HEARD)
    const cells = Array.from({ length: 300 }, () => CELL)
    for (const [operation, sent] of [
      [resolveWifiLocation, { accessPoints: many }],
      [resolveGroundFix, { accessPoints: many, wifi: { accessPoints: many }, cellTowers: cells }],
      [resolveCellLocation, { cellTowers: cells }],
      [geolocate, { wifiAccessPoints: many, cellTowers: cells }],
    ] as const)
      expect(mistakesOf(operation, sent)).toBeUndefined()
  })
})

describe('an option that is out of range', () => {
  it.each([
    [{ device_id: 'a:b' }, '/device_id'],
    [{ device_id: 7 }, '/device_id'],
    [{ confidence: 100 }, '/confidence'],
    [{ confidence: 'high' }, '/confidence'],
    [{ reply: 'no' }, '/reply'],
  ])('costs itself, and is reported with its place: %j', (sent, pointer) => {
    for (const { confidence, reply, device_id } of [
      read(resolveWifiLocation, sent),
      read(resolveCellLocation, sent),
      read(resolveGroundFix, sent),
    ]) {
      expect(mistakesIn({ confidence, reply, device_id })).toEqual([{ pointer, detail: expect.any(String) }])
      expect(given(device_id)).toBeUndefined()
      expect(confidenceOf({ confidence, reply })).toBe(68)
      expect(wantsReply({ confidence, reply })).toBe(true)
    }
  })
})

describe('an observation', () => {
  const position = { latitude: 48, longitude: 11 }

  it.each([
    ['no position', { wifiAccessPoints: [HEARD] }],
    ['a latitude that there is none of', { position: { ...position, latitude: 91 } }],
    ['no number for one', { position: { ...position, latitude: '48°' } }],
    ['a list that is none', { position, wifiAccessPoints: 'none' }],
    ['nothing', null],
    ['no object', 7],
  ])('that cannot be read costs itself, and is reported with its place: %s', (_, sent) => {
    const { items } = read(submitObservations, { items: [{ position }, sent, { position }] })
    expect(items.map((item) => item instanceof LeftOut)).toEqual([false, true, false])
    expect(mistakesIn({ items })[0]?.pointer).toMatch(/^\/items\/1/)
  })

  it.each([
    [{ device_id: '' }],
    [{ device_id: 7 }],
    [{ id: 'x'.repeat(129) }],
    [{ position: { ...position, source: 7, altitude: 'high', heading: {}, age: [], speed: 'fast' } }],
    [{ cellTowers: [7, null, 'x'] }],
  ])('does without an optional part that cannot be read: %j', (more) => {
    expect(readItems({ position, wifiAccessPoints: [HEARD], ...more })[0]?.wifiAccessPoints).toHaveLength(1)
  })

  it('has a time in milliseconds or in seconds, and one that cannot be read is never now', () => {
    const timeOf = (timestamp: unknown) => readItems({ position, timestamp })[0]?.timestamp
    expect(timeOf(1_790_000_000_123)).toBe(1_790_000_000_123)
    expect(timeOf(1_790_000_000)).toBe(1_790_000_000_000)
    expect(timeOf('1790000000')).toBe(1_790_000_000_000)
    for (const missing of [undefined, null]) expect(timeOf(missing)).toBeUndefined()
    for (const none of ['yesterday', -5, {}, 0]) expect(timeOf(none)).toBe(0)
    expect(timeOf(1e300)).toBe(1e13)
  })

  it('whose accuracy cannot be read is not taken for a good one', () => {
    const accuracyOf = (accuracy: unknown) =>
      readItems({ position: { ...position, accuracy } })[0]?.position.accuracy
    expect(accuracyOf('12.5')).toBe(12.5)
    for (const none of ['bad', {}, -1]) expect(accuracyOf(none)).toBe(1e6)
  })
})
