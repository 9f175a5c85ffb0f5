import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { KnownPlaces, layeredEstimate, placesEstimate, type LayeredKnowledge } from './layered-estimate.js'
import { serialOf } from '../scans/radio.js'
import type { Scan } from '../scans/scan.js'

const OPTIONS = { minRadios: 2, confidence: 68 }
const address = (number: number) => 0x02_00_00_00_00_00 + number * 64
const at = (lat: number) => ({ lat, lon: 11, spreadMeters: 10, observations: 5 })
const shared = (lat: number): LayeredKnowledge => {
  const all = at(lat)
  return { all, own: undefined, shared: all, isOthers: true }
}
const own = (lat: number): LayeredKnowledge => ({
  all: at(lat),
  own: at(lat),
  shared: undefined,
  isOthers: false,
})
/** Learned by both: the shared layer puts it at `from`, the organization and both together at `to`. */
const moved = (from: number, to: number, isOthers = true): LayeredKnowledge => ({
  ...{ all: at(to), own: at(to), shared: at(from), isOthers },
})
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
    expect(locate({ 1: shared(48) })).toMatchObject({ found: false })
    expect(locate({ 1: shared(48) }, [1, 7, 8])).toEqual(locate({}, [1, 7, 8]))
  })

  it('is not revealed by the caller’s access points beside it, wherever those are: they answer as if it were unknown', () => {
    for (const apart of [0, 0.001, 0.004, 1]) {
      const places = { 1: own(48), 2: own(49), 3: own(50) }
      const alone = locate(places, [1, 2, 3, 9])
      expect(locate({ ...places, 9: shared(48 + apart) })).toEqual(alone)
    }
  })

  it('is not revealed by what the caller has learned of it: that alone answers', () => {
    const learned = { ...moved(48.004, 48), all: at(48.002) }
    expect(locate({ 1: learned, 2: own(48.001) })).toEqual(locate({ 1: own(48), 2: own(48.001) }))
  })

  it('is not revealed by others’ access points that the caller’s observations have moved to chosen places', () => {
    const wanted = 48
    const grid = Array.from({ length: 60 }, (_, index) => [index + 1, 47.85 + index * 0.005] as const)
    const far = Object.fromEntries(grid.map(([number, to]) => [number, moved(52 + number, to)]))
    const alone = locate(far, [...grid.map(([number]) => number), 99])
    expect(locate({ ...far, 99: shared(wanted) })).toEqual(alone)
    for (const others of [1, 2, 3]) {
      const few = Object.fromEntries(Object.entries(far).slice(28, 28 + others))
      const asked = [...Object.keys(few).map(Number), 99]
      expect(locate({ ...few, 99: shared(wanted) })).toEqual(locate(few, asked))
    }
  })

  it('is not revealed by others’ access points whose positions a sharing organization has declared', () => {
    const known = Object.fromEntries([1, 2, 3].map((number) => [number, moved(48.001, 48.001, false)]))
    expect(locate({ ...known, 9: shared(48) })).toEqual(locate(known, [1, 2, 3, 9]))
  })

  it('is not revealed by whether the caller’s own data make a scan count', () => {
    // Of three that lie elsewhere nothing is revealed beside two that agree, wherever the caller has put them.
    const scan = { 1: shared(48), 2: shared(48.001), 3: shared(50), 4: shared(51) }
    const listed = (to: number) => ({ ...moved(53, to), own: { ...at(to), observations: 1 } })
    const near = locate({ ...scan, 9: listed(53.0001) })
    const far = locate({ ...scan, 9: listed(60) })
    expect([near, far]).toMatchObject([{ agreeing: [address(9)] }, { agreeing: [address(9)] }])
    expect(locate({ 1: shared(48), 2: shared(48.001), 3: shared(50), 9: moved(53, 60) })).toMatchObject({
      agreeing: [address(1), address(2)],
    })
  })

  it('is not revealed by a scan of others’ from all over a town, all of which are there: they answer as if unknown', () => {
    const town = Object.fromEntries(
      Array.from({ length: 255 }, (_, index) => [index + 1, shared(47 + index * 0.01)]),
    )
    expect(locate({ ...town, 999: shared(48) })).toEqual(locate({}, [...Object.keys(town).map(Number), 999]))
    const withOwn = { ...town, 998: own(50.001) }
    const asked = [...Object.keys(withOwn).map(Number), 999]
    expect(locate({ ...withOwn, 999: shared(48) })).toEqual(locate({ 998: own(50.001) }, asked))
    const two = { 1: shared(47), 2: shared(48.1), 998: own(50.001) }
    expect(locate(two)).toEqual(locate({ 998: own(50.001) }, [1, 2, 998]))
    expect(locate(two)).toMatchObject({ found: true, agreeing: [address(998)] })
    // One request reveals no more than three neighborhoods.
    expect(locate({ 1: shared(48), 2: shared(49), 3: shared(50), 4: shared(51), 9: shared(48) }).found).toBe(
      false,
    )
  })

  it('is not revealed by two addresses of one radio', () => {
    const scan = new Map([
      [address(1), -60],
      [address(1) + 1, -60],
    ])
    const known = [shared(48), shared(48)]
    expect(layeredEstimate(scan, known, OPTIONS)).toMatchObject({ found: false })
  })
})

it('two radios of others that agree are a position, and one of the organization itself is', () => {
  expect(locate({ 1: shared(48), 2: shared(48.001) })).toMatchObject({ found: true, used: 2 })
  expect(locate({ 1: own(48) })).toMatchObject({
    found: true,
    lat: expect.closeTo(48, 6) as unknown,
    used: 1,
  })
})

it('two of three or four are a position, though the others lie elsewhere, and most of many are', () => {
  expect(locate({ 1: shared(48), 2: shared(48.001), 3: shared(49) })).toMatchObject({ found: true, used: 2 })
  const two = { 1: shared(48), 2: shared(48.001), 3: shared(49), 4: shared(50) }
  expect(locate(two)).toMatchObject({ found: true, used: 2 })
  const many = Array.from({ length: 20 }, (_, index) => [index + 1, shared(index < 11 ? 48 : 60 + index)])
  expect(locate(Object.fromEntries(many) as Record<number, LayeredKnowledge>)).toMatchObject({ used: 11 })
})

it('others’ data on access points that agree are added to the organization’s; for all others its own data alone count', () => {
  const added = (to: number) => ({ ...moved(48.001, 48), all: at(to) })
  const both = locate({ 1: added(48.0005), 2: added(48.0005) })
  expect(both).toMatchObject({ lat: expect.closeTo(48.0005, 6) as unknown })
  const known = { 1: added(48.0005), 2: added(48.0005), 3: { ...moved(50, 48), all: at(48.002) } }
  expect(locate(known)).toEqual(locate({ ...known, 3: own(48) }))
})

it('without signal strengths the radius is wider', () => {
  const known = [1, 2, 3].map((number) => shared(48 + number * 1e-4))
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
    isFar: fc.nat(9).map((one) => one === 0),
    spreadMeters: fc.oneof(
      { weight: 9, arbitrary: fc.double({ min: 0, max: 80, noNaN: true }) },
      fc.constant(501),
    ),
    observations: fc.integer({ min: 1, max: 20 }),
    layer: fc.constantFrom('own', 'shared', 'shared', 'unknown'),
  })

  it('give the same estimate as objects, in all digits, or none', () => {
    const places = new KnownPlaces()
    let estimates = 0
    fc.assert(
      fc.property(
        fc.uniqueArray(heard, { selector: ({ number, step }) => number * step, minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 50, max: 99 }),
        (all, isSharedAlone, confidence) => {
          const scan = new Map<number, number | undefined>()
          const known = new Map<number, LayeredKnowledge>()
          for (const { number, step, signalDbm, lat, isFar, layer, spreadMeters, observations } of all) {
            const bssid = 0x02_00_00_00_00_00 + number * step
            scan.set(bssid, signalDbm)
            const place = { lat: isFar ? lat + 1 : lat, lon: 11, spreadMeters, observations }
            if (layer === 'shared' || (layer === 'own' && isSharedAlone))
              known.set(bssid, { all: place, own: undefined, shared: place, isOthers: true })
            else if (layer === 'own')
              known.set(bssid, { all: place, own: place, shared: undefined, isOthers: false })
          }
          const options = { minRadios: 2, confidence }
          places.clear()
          for (const bssid of [...scan.keys()].sort((a, b) => serialOf(a) - serialOf(b) || a - b)) {
            const one = known.get(bssid)
            if (one) places.add(bssid, scan.get(bssid) ?? Number.NaN, one.all, one.own !== undefined)
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
