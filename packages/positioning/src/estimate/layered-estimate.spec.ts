import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { KnownPlaces, layeredEstimate, placesEstimate, type LayeredKnowledge } from './layered-estimate.js'
import { serialOf } from '../scans/radio.js'
import type { Scan } from '../scans/scan.js'

const OPTIONS = { confidence: 68 }
const address = (number: number) => 0x02_00_00_00_00_00 + number * 64
const at = (lat: number) => ({ lat, lon: 11, spreadMeters: 10, observations: 5 })
const base = (lat: number): LayeredKnowledge => ({ known: at(lat), isOwn: false })
const own = (lat: number): LayeredKnowledge => ({ known: at(lat), isOwn: true })
const scanOf = (numbers: readonly number[], signalDbm?: number): Scan =>
  new Map(numbers.map((number) => [address(number), signalDbm]))
const locate = (known: Readonly<Record<number, LayeredKnowledge>>, numbers?: readonly number[]) => {
  const scan = scanOf(numbers ?? Object.keys(known).map(Number), -60)
  const ofScan = new Map(
    Object.entries(known).map(([number, knowledge]) => [address(Number(number)), knowledge]),
  )
  return layeredEstimate(
    scan,
    [...scan.keys()].map((bssid) => ofScan.get(bssid)),
    OPTIONS,
  )
}

describe('where a single access point of others is', () => {
  it('is not revealed by a scan of it alone, or with unknown ones', () => {
    expect(locate({ 1: base(48) })).toMatchObject({ found: false })
    expect(locate({ 1: base(48) }, [1, 7, 8])).toEqual(locate({}, [1, 7, 8]))
  })

  it('is not revealed by the caller’s access points beside it, wherever those are: they answer as if it were unknown', () => {
    for (const apart of [0, 0.001, 0.004, 1]) {
      const places = { 1: own(48), 2: own(49), 3: own(50) }
      const alone = locate(places, [1, 2, 3, 9])
      expect(locate({ ...places, 9: base(48 + apart) })).toEqual(alone)
    }
  })

  it('is not revealed by whether the caller’s own data make a scan count', () => {
    // Of three that lie elsewhere nothing is revealed beside two that agree, wherever the caller has put its own.
    const scan = { 1: base(48), 2: base(48.001), 3: base(50), 4: base(51), 5: base(52) }
    for (const to of [48.0001, 50, 60])
      expect(locate({ ...scan, 9: own(to) })).toMatchObject({ agreeing: [address(9)] })
  })

  it('is not revealed by a scan of others’ from all over a town, all of which are there: they answer as if unknown', () => {
    const town = Object.fromEntries(
      Array.from({ length: 255 }, (_, index) => [index + 1, base(47 + index * 0.01)]),
    )
    expect(locate({ ...town, 999: base(48) })).toEqual(locate({}, [...Object.keys(town).map(Number), 999]))
    const withOwn = { ...town, 998: own(50.001) }
    const asked = [...Object.keys(withOwn).map(Number), 999]
    expect(locate({ ...withOwn, 999: base(48) })).toEqual(locate({ 998: own(50.001) }, asked))
    const two = { 1: base(47), 2: base(48.1), 998: own(50.001) }
    expect(locate(two)).toEqual(locate({ 998: own(50.001) }, [1, 2, 998]))
    expect(locate(two)).toMatchObject({ found: true, agreeing: [address(998)] })
    // One request reveals no more than three neighborhoods.
    expect(locate({ 1: base(48), 2: base(49), 3: base(50), 4: base(51), 9: base(48) }).found).toBe(false)
  })

  it('is not revealed by two addresses of one radio', () => {
    const scan = new Map([
      [address(1), -60],
      [address(1) + 1, -60],
    ])
    const known = [base(48), base(48)]
    expect(layeredEstimate(scan, known, OPTIONS)).toMatchObject({ found: false })
  })
})

it('two radios of others that agree are a position, and one of the organization itself is', () => {
  expect(locate({ 1: base(48), 2: base(48.001) })).toMatchObject({ found: true, used: 2 })
  expect(locate({ 1: own(48) })).toMatchObject({
    found: true,
    lat: expect.closeTo(48, 6) as unknown,
    used: 1,
  })
})

it('two of three or four are a position, though the others lie elsewhere, and most of many are', () => {
  expect(locate({ 1: base(48), 2: base(48.001), 3: base(49) })).toMatchObject({ found: true, used: 2 })
  const two = { 1: base(48), 2: base(48.001), 3: base(49), 4: base(50) }
  expect(locate(two)).toMatchObject({ found: true, used: 2 })
  const many = Array.from({ length: 20 }, (_, index) => [index + 1, base(index < 11 ? 48 : 60 + index)])
  expect(locate(Object.fromEntries(many) as Record<number, LayeredKnowledge>)).toMatchObject({ used: 11 })
})

it('without signal strengths the radius is wider', () => {
  const known = [1, 2, 3].map((number) => base(48 + number * 1e-4))
  const radius = (signalDbm?: number) => {
    const found = layeredEstimate(scanOf([1, 2, 3], signalDbm), known, OPTIONS)
    return found.found ? found.radiusMeters : Number.NaN
  }
  expect(radius()).toBeGreaterThan(radius(-60) * 1.1)
})

describe('numbers of a scan of which nothing but positions is known', () => {
  /** Some of one radio, some far away, some that move. */
  const heard = fc.record({
    number: fc.nat(40),
    step: fc.constantFrom(1, 64),
    signalDbm: fc.option(fc.integer({ min: -100, max: -1 }), { nil: undefined }),
    lat: fc.double({ min: 48, max: 48.003, noNaN: true }),
    isFar: fc.nat(29).map((one) => one === 0),
    spreadMeters: fc.oneof(
      { weight: 9, arbitrary: fc.double({ min: 0, max: 80, noNaN: true }) },
      fc.constant(501),
    ),
    observations: fc.integer({ min: 1, max: 20 }),
    layer: fc.constantFrom('own', 'base', 'base', 'unknown'),
  })

  it('give the same estimate as objects, in all digits, or none', () => {
    const places = new KnownPlaces()
    let estimates = 0
    fc.assert(
      fc.property(
        fc.uniqueArray(heard, { selector: ({ number, step }) => number * step, minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 50, max: 99 }),
        (all, isBaseAlone, confidence) => {
          const scan = new Map<number, number | undefined>()
          const known = new Map<number, LayeredKnowledge>()
          for (const { number, step, signalDbm, lat, isFar, layer, spreadMeters, observations } of all) {
            const bssid = 0x02_00_00_00_00_00 + number * step
            scan.set(bssid, signalDbm)
            const place = { lat: isFar ? lat + 1 : lat, lon: 11, spreadMeters, observations }
            if (layer !== 'unknown')
              known.set(bssid, { known: place, isOwn: layer === 'own' && !isBaseAlone })
          }
          const options = { confidence }
          places.clear()
          for (const bssid of [...scan.keys()].sort((a, b) => serialOf(a) - serialOf(b) || a - b)) {
            const one = known.get(bssid)
            if (one) places.add(bssid, scan.get(bssid) ?? Number.NaN, one.known, one.isOwn)
            else places.addUnknown()
          }
          const found = placesEstimate(places, options)
          if (found === undefined) return
          estimates++
          const ofScan = [...scan.keys()].map((bssid) => known.get(bssid))
          expect(found).toEqual(layeredEstimate(scan, ofScan, options))
        },
      ),
      { numRuns: 500 },
    )
    expect(estimates).toBeGreaterThan(250)
  })
})
