import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { KnownAccessPoint } from './access-point-model.js'
import { locate } from './locate.js'
import type { HeardAccessPoint } from '../scans/scan.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'

const OPTIONS = { minAccessPoints: 2 }
const distance = (one: Coordinates, other: Coordinates) =>
  Math.sqrt(squaredDistance(toVector(one), toVector(other)))
/** Locally administered, and each of a radio of its own. */
const address = (number: number) => 0x02_00_00_00_00_00 + number * 64

function found(scan: Iterable<HeardAccessPoint>, known: ReadonlyMap<number, KnownAccessPoint>) {
  const location = locate(scan, known, OPTIONS)
  if (!location.found) throw new Error(`not located: ${location.reason}`)
  return location
}

const METER = 1 / 111_195

/** 2 to 30 access points, all heard, within 100 m of a place that is not at a pole. */
const heardSomewhere = fc
  .record({
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    accessPoints: fc.array(
      fc.record({
        north: fc.double({ min: -100, max: 100, noNaN: true }),
        east: fc.double({ min: -100, max: 100, noNaN: true }),
        spreadMeters: fc.double({ min: 0, max: 80, noNaN: true }),
        observations: fc.integer({ min: 1, max: 1000 }),
        signalDbm: fc.option(fc.integer({ min: -100, max: -20 }), { nil: undefined }),
      }),
      { minLength: 2, maxLength: 30 },
    ),
  })
  .map(({ lat, lon, accessPoints }) => ({
    known: new Map(
      accessPoints.map(({ north, east, spreadMeters, observations }, index) => [
        address(index),
        {
          lat: lat + north * METER,
          lon: wrapped(lon + (east * METER) / Math.cos((lat * Math.PI) / 180)),
          spreadMeters,
          observations,
        },
      ]),
    ),
    scan: accessPoints.map(({ signalDbm }, index): HeardAccessPoint => ({
      bssid: address(index),
      signalDbm,
    })),
  }))

function wrapped(lon: number): number {
  return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon
}

describe('locate', () => {
  it('does not depend on the order of the scan', () => {
    fc.assert(
      fc.property(
        heardSomewhere.chain((case_) =>
          fc.tuple(fc.constant(case_), fc.shuffledSubarray(case_.scan, { minLength: case_.scan.length })),
        ),
        ([{ scan, known }, shuffled]) => {
          expect(locate(shuffled, known, OPTIONS)).toEqual(locate(scan, known, OPTIONS))
        },
      ),
    )
  })

  it('takes the strongest of what was sent twice, and ignores what no access point can have', () => {
    fc.assert(
      fc.property(heardSomewhere, ({ scan, known }) => {
        const weaker = scan
          .map(({ bssid }) => ({ bssid, signalDbm: -127 }))
          .filter(({ bssid }) => scan.find((heard) => heard.bssid === bssid)?.signalDbm !== undefined)
        const unusable = [
          { bssid: 0, signalDbm: -30 },
          { bssid: 2 ** 48 - 1, signalDbm: -30 },
          { bssid: 0x01_00_5e_00_00_01 },
        ]
        expect(locate([...weaker, ...unusable, ...scan, ...scan], known, OPTIONS)).toEqual(
          locate(scan, known, OPTIONS),
        )
      }),
    )
  })

  it('stays among the access points, anywhere on earth', () => {
    fc.assert(
      fc.property(heardSomewhere, ({ scan, known }) => {
        const location = found(scan, known)
        const distances = [...known.values()].map((accessPoint) => distance(accessPoint, location))
        const extent = Math.max(
          ...[...known.values()].flatMap((one) => [...known.values()].map((other) => distance(one, other))),
        )
        expect(Math.max(...distances)).toBeLessThanOrEqual(extent + 0.01)
        expect(location.uncertaintyMeters).toBeGreaterThan(0)
        expect(Math.abs(location.lon)).toBeLessThanOrEqual(180)
      }),
    )
  })

  it('finds the same place when the earth is turned under it', () => {
    fc.assert(
      fc.property(
        heardSomewhere,
        fc.double({ min: -360, max: 360, noNaN: true }),
        ({ scan, known }, angle) => {
          const turn = (lon: number) => wrapped(wrapped((lon + angle) % 360))
          const turned = new Map(
            [...known].map(([bssid, accessPoint]) => [bssid, { ...accessPoint, lon: turn(accessPoint.lon) }]),
          )
          const [here, there] = [found(scan, known), found(scan, turned)]
          expect(distance({ lat: here.lat, lon: turn(here.lon) }, there)).toBeLessThan(0.01)
          expect(there.uncertaintyMeters).toBeCloseTo(here.uncertaintyMeters, 3)
        },
      ),
    )
  })

  it('works at a pole', () => {
    const known = new Map(
      [0, 90, 180, -90].map((lon, index) => [
        address(index),
        { lat: 89.9999, lon, spreadMeters: 10, observations: 5 },
      ]),
    )
    const location = found(
      [...known.keys()].map((bssid) => ({ bssid, signalDbm: -60 })),
      known,
    )
    expect(distance(location, { lat: 90, lon: 0 })).toBeLessThan(0.01)
  })

  it('leaves out an access point that has moved: 2 km away it changes nothing, nearer less than 25 m', () => {
    const still = Array.from({ length: 6 }, (_, index): [number, KnownAccessPoint] => [
      address(index),
      {
        lat: 48 + (index % 3) * 20 * METER,
        lon: 11 + Math.floor(index / 3) * 20 * METER,
        spreadMeters: 15,
        observations: 50,
      },
    ])
    const scan = [
      ...still.map(([bssid]) => ({ bssid, signalDbm: -60 })),
      { bssid: address(99), signalDbm: -60 },
    ]
    const without = found(scan, new Map(still))
    const withMoved = (meters: number) =>
      found(
        scan,
        new Map([
          ...still,
          [address(99), { lat: 48 + meters * METER, lon: 11, spreadMeters: 15, observations: 50 }],
        ]),
      )
    expect(distance(withMoved(2_000), without)).toBe(0)
    expect(distance(withMoved(20_000), without)).toBe(0)
    for (let meters = 0; meters < 2_000; meters += 10)
      expect(distance(withMoved(meters), without)).toBeLessThan(25)
  })

  it('has no position where those that are known do not agree', () => {
    const known = new Map([
      [address(0), { lat: 48, lon: 11, spreadMeters: 10, observations: 5 }],
      [address(1), { lat: 48.1, lon: 11, spreadMeters: 10, observations: 5 }],
    ])
    expect(locate([{ bssid: address(0) }, { bssid: address(1) }], known, OPTIONS)).toMatchObject({
      found: false,
      reason: 'too_few_known',
    })
  })

  it('has no position from an access point that was heard all over a town', () => {
    const known = new Map(
      [0, 1].map((index) => [address(index), { lat: 48, lon: 11, spreadMeters: 800, observations: 500 }]),
    )
    expect(locate([{ bssid: address(0) }, { bssid: address(1) }], known, OPTIONS)).toMatchObject({
      found: false,
      reason: 'none_known',
    })
  })

  it('is less certain of places that were observed once than of those observed often', () => {
    const at = (observations: number) =>
      new Map(
        [0, 1, 2].map((index) => [address(index), { lat: 48, lon: 11, spreadMeters: 10, observations }]),
      )
    const scan = [0, 1, 2].map((index) => ({ bssid: address(index), signalDbm: -60 }))
    expect(found(scan, at(1)).uncertaintyMeters).toBeGreaterThan(2 * found(scan, at(1_000)).uncertaintyMeters)
  })

  it('does not take one observation of a street for an exact position', () => {
    const here = { lat: 48, lon: 11 }
    const away = { lat: 48 + 150 * METER, lon: 11 }
    const known = new Map([
      [address(0), { ...here, spreadMeters: 100, observations: 40 }],
      [address(1), { ...here, spreadMeters: 100, observations: 40 }],
      [address(2), { ...away, spreadMeters: 0, observations: 1 }],
    ])
    const scan = [0, 1, 2].map((number) => ({ bssid: address(number), signalDbm: -80 }))
    expect(distance(found(scan, known), here)).toBeLessThan(75)
  })

  it('has no radius below what a survey is exact to, however often everything was heard at one spot', () => {
    const often = { lat: 48, lon: 11, spreadMeters: 0, observations: 1e6 }
    const known = new Map([0, 1].map((number) => [address(number), often]))
    const scan = [0, 1].map((number) => ({ bssid: address(number), signalDbm: -88 }))
    expect(found(scan, known).uncertaintyMeters).toBeGreaterThan(5)
  })

  it('asks for as many access points as the options say', () => {
    const known = new Map([[address(0), { lat: 48, lon: 11, spreadMeters: 10, observations: 5 }]])
    expect(locate([{ bssid: address(0) }], known, { minAccessPoints: 1 })).toMatchObject({ found: true })
    expect(locate([{ bssid: address(0) }], known, OPTIONS)).toMatchObject({
      found: false,
      reason: 'too_few_usable',
      usable: 1,
    })
  })
})
