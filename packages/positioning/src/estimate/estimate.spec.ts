import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addScans, updateFrom } from '../learning/evidence/learn.js'
import { modelOf } from '../learning/statistics/model-of.js'
import { isLearned, type Knowledge } from '../access-points/access-point-model.js'
import { estimate } from './estimate.js'
import { locate } from '../access-points/locate.js'
import { radioOf } from '../scans/radio.js'
import type { ReferenceScan } from '../references/reference-index.js'
import { ReferenceScans } from '../references/reference-scans.js'
import type { HeardAccessPoint } from '../scans/scan.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'
import { DEFAULT_CALIBRATION, radiusOf } from './uncertainty.js'

// A made-up building, as in accuracy.spec.ts. Real sets give figures (`pnpm bench:location`); this guards against losing them.

const METER = 1 / 111_195
const NOW = 1_700_000_000
const OPTIONS = { minRadios: 2, confidence: 68 }
const distance = (one: Coordinates, other: Coordinates) =>
  Math.sqrt(squaredDistance(toVector(one), toVector(other)))

/** Numbers that look random and are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const next = numbers(3)
const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
const somewhere = (): Coordinates => ({ lat: 60 + next() * 80 * METER, lon: 20 + next() * 240 * METER })
/** Each of its own radio. */
const address = (number: number) => 0x02_00_00_00_00_00 + 64 * (number + 1)
const transmitters = Array.from({ length: 60 }, (_, index) => ({ bssid: address(index), at: somewhere() }))

function detect(at: Coordinates): { bssid: number; signalDbm: number }[] {
  return transmitters
    .map(({ bssid, at: place }) => {
      const meters = Math.max(1, distance(place, at))
      return { bssid, signalDbm: Math.round(Math.min(-20, -30 - 40 * Math.log10(meters) + 5 * normal())) }
    })
    .filter(({ signalDbm }) => signalDbm > -95)
}

function survey(scans: number): { known: Map<number, Knowledge>; references: ReferenceScans } {
  const references: ReferenceScan[] = []
  const updates = Array.from({ length: scans }, () => {
    const at = somewhere()
    const readings = detect(at)
    references.push({ place: toVector(at), readings: readings.map((one) => [one.bssid, one.signalDbm]) })
    const contribution = { ...at, accuracyMeters: 3, atSeconds: NOW, readings }
    return { contribution, update: updateFrom(contribution, undefined, NOW) }
  })
  const models = [...addScans(new Map(), updates)].flatMap(([bssid, statistics]) => {
    const model = modelOf(statistics)
    return model ? [[bssid, model] as const] : []
  })
  return { known: new Map(models), references: ReferenceScans.of(references) }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

let known: Map<number, Knowledge>
let references: ReferenceScans
/** Median error with everything that is known. */
let everything: number
let truths: { readonly at: Coordinates; readonly scan: HeardAccessPoint[] }[]

beforeAll(() => {
  ;({ known, references } = survey(250))
  truths = Array.from({ length: 60 }, () => {
    const at = somewhere()
    return { at, scan: detect(at) }
  })
  everything = median(errors(known, references))
})

function errors(what: ReadonlyMap<number, Knowledge>, from?: ReferenceScans): number[] {
  return truths.map(({ at, scan }) => {
    const found = estimate(scan, what, { ...OPTIONS, references: from })
    if (!found.found) throw new Error(found.reason)
    return distance(found, at)
  })
}

describe('an estimate', () => {
  it('is nearer to the truth the more is known: positions, signal fields, reference scans', () => {
    const byPositions = median(errors(positionsOf(known)))
    expect(median(errors(known))).toBeLessThan(0.9 * byPositions)
    expect(everything).toBeLessThan(0.75 * byPositions)
  })

  it('loses less than a fifth of its accuracy where 15 % of the access points were moved by up to 2 km', () => {
    const moved = new Map(
      [...known].map(([bssid, one], index) => [
        bssid,
        index % 7 === 0 ? { ...one, lat: one.lat + (index / 60) * 2_000 * METER } : one,
      ]),
    )
    expect(median(errors(moved, references))).toBeLessThan(1.2 * everything)
  })

  it('does not believe an access point that reference scans say has moved, even where only three are heard', () => {
    const moved = new Map(
      [...known].map(([bssid, one], index) => [
        bssid,
        index % 4 === 0 ? { ...one, lat: one.lat + 300 * METER } : one,
      ]),
    )
    const strongest = (at: Coordinates) =>
      detect(at)
        .sort((a, b) => b.signalDbm - a.signalDbm)
        .slice(0, 3)
    const likes = Array.from({ length: 400 }, somewhere).map((at) => ({
      place: toVector(at),
      readings: strongest(at).map(({ bssid, signalDbm }) => [bssid, signalDbm] as const),
    }))
    const few = truths.map(({ at }) => ({ at, scan: strongest(at) }))
    const options = { ...OPTIONS, references: ReferenceScans.of(likes) }
    const medianOf = (believed: ReadonlyMap<number, Knowledge>) =>
      median(
        few.flatMap(({ at, scan }) => {
          const found = estimate(scan, believed, options)
          return found.found ? [distance(found, at)] : []
        }),
      )
    // A quarter of all moved; 1.5 times if they were believed.
    expect(medianOf(moved)).toBeLessThan(1.35 * medianOf(known))
  })

  it('has a radius that grows with the confidence, and holds the truth about as often', () => {
    const outcomes = truths.map(({ at, scan }) => {
      const found = estimate(scan, known, { ...OPTIONS, references })
      if (!found.found) throw new Error('not found')
      return { features: found.features, error: distance(found, at) }
    })
    const held = (confidence: number) =>
      outcomes.filter(({ features, error }) => error <= radiusOf(features, DEFAULT_CALIBRATION, confidence))
        .length / outcomes.length
    expect(held(68)).toBeGreaterThan(0.5)
    expect(held(95)).toBeGreaterThan(0.85)
    const radii = [50, 68, 80, 95, 99].map((confidence) => {
      const found = estimate(truths[0]?.scan ?? [], known, { ...OPTIONS, confidence, references })
      return found.found ? found.radiusMeters : NaN
    })
    expect(radii).toEqual(radii.toSorted((a, b) => a - b))
    expect(radii[4]).toBeLessThan(500)
  })

  it('does not depend on the order of the scan, nor on what was sent twice', () => {
    const scan = truths[1]?.scan ?? []
    const once = estimate(scan, known, { ...OPTIONS, references })
    fc.assert(
      fc.property(fc.shuffledSubarray(scan, { minLength: scan.length }), (shuffled) => {
        const weaker = shuffled.map(({ bssid }) => ({ bssid, signalDbm: -100 }))
        expect(rounded(estimate([...weaker, ...shuffled], known, { ...OPTIONS, references }))).toEqual(
          rounded(once),
        )
      }),
      { numRuns: 20 },
    )
  })

  it('is the same at other places of the Earth', () => {
    const scan = truths[2]?.scan ?? []
    const here = estimate(scan, known, OPTIONS)
    const there = estimate(
      scan,
      new Map([...known].map(([bssid, one]) => [bssid, { ...one, lon: one.lon - 200.001 }])),
      OPTIONS,
    )
    if (!here.found || !there.found) throw new Error('not found')
    expect(distance(here, { ...there, lon: there.lon + 200.001 })).toBeLessThan(0.01)
  })

  it('of imported positions alone is at the place that locate returns', () => {
    const positions = positionsOf(known)
    for (const { scan } of truths.slice(0, 20)) {
      const found = estimate(scan, positions, OPTIONS)
      const location = locate(scan, positions, { minAccessPoints: 2 })
      if (!found.found || !location.found) throw new Error('not found')
      expect(found.tier).toBe('mean')
      expect(distance(found, location)).toBeLessThan(0.001)
    }
  })

  it('has a larger radius the more access points of the scan are unknown, at the same place', () => {
    const scan = truths[3]?.scan ?? []
    for (const what of [known, positionsOf(known)]) {
      const found = [0, 1, 2, 5, 20].map((count) => {
        const one = estimate([...scan, ...unknown(count)], what, OPTIONS)
        if (!one.found) throw new Error(one.reason)
        return one
      })
      const radii = found.map(({ radiusMeters }) => radiusMeters)
      expect(radii).toEqual([...new Set(radii)].sort((a, b) => a - b))
      expect(new Set(found.map(({ lat, lon }) => `${String(lat)} ${String(lon)}`)).size).toBe(1)
    }
  })

  it('mixes imported positions with learned ones', () => {
    const half = new Map(
      [...known].map(([bssid, one], index) => {
        const { lat, lon, spreadMeters, observations } = one
        return [bssid, index % 2 === 0 ? one : { lat, lon, spreadMeters, observations }]
      }),
    )
    expect(median(errors(half, references))).toBeLessThan(15)
  })
})

/** Unknown access points. */
const unknown = (count: number): HeardAccessPoint[] =>
  Array.from({ length: count }, (_, index) => ({ bssid: address(1_000 + index), signalDbm: -80 }))

/** Returns learned access points with nothing but what an import of positions has. */
function positionsOf(learned: ReadonlyMap<number, Knowledge>): Map<number, Knowledge> {
  return new Map(
    [...learned].map(([bssid, { lat, lon, spreadMeters, observations }]) => [
      bssid,
      { lat, lon, spreadMeters, observations },
    ]),
  )
}

describe('no estimate is made', () => {
  const [one, two] = [address(1), address(2)]
  const place = { lat: 50, lon: 8, spreadMeters: 10, observations: 5 }

  it('of one radio, however many networks it announces', () => {
    const siblings = [0, 1, 2, 3].map((digit) => 0x00_11_22_33_44_50 + digit)
    const local = 0x02_11_22_33_44_54
    expect(new Set([...siblings, local].map(radioOf)).size).toBe(1)
    const box = new Map([...siblings, local].map((bssid) => [bssid, place]))
    const scan = [...siblings, local].map((bssid) => ({ bssid, signalDbm: -50 }))
    expect(estimate(scan, box, OPTIONS)).toEqual({ found: false, reason: 'too_few_usable', usable: 1 })
    // Nor with another one that nobody knows.
    const other = [...scan, { bssid: one, signalDbm: -50 }]
    expect(estimate(other, box, OPTIONS)).toEqual({ found: false, reason: 'too_few_known', usable: 2 })
  })

  it('of one box, however its vendor derives the addresses of its networks', () => {
    for (const addresses of [
      // Counted above the bit of locally administered addresses, and without it.
      [0x80_2a_a8_17_74_b5, 0x82_2a_a8_17_74_b5, 0x92_2a_a8_17_74_b5, 0xa2_2a_a8_17_74_b5],
      [0x02_11_22_33_44_50, 0x06_11_22_33_44_51, 0x0a_11_22_33_44_5e],
    ]) {
      const box = new Map(addresses.map((bssid) => [bssid, place]))
      const scan = addresses.map((bssid) => ({ bssid, signalDbm: -50 }))
      expect(estimate(scan, box, OPTIONS)).toEqual({ found: false, reason: 'too_few_usable', usable: 1 })
    }
  })

  it('of one box whose addresses differ across the border of a hexadecimal digit or byte', () => {
    for (const [first, second] of [
      [0x50_c7_bf_aa_bb_c0, 0x50_c7_bf_aa_bb_bf],
      [0x3c_37_86_11_22_3f, 0x3c_37_86_11_22_40],
      [0x9c_3d_cf_01_02_03, 0x9c_3d_cf_01_02_13],
      [0x9c_3d_cf_01_02_f8, 0x9e_3d_cf_01_03_18],
    ] as const) {
      const box = new Map([first, second].map((bssid) => [bssid, place]))
      const scan = [second, first].map((bssid) => ({ bssid, signalDbm: -50 }))
      expect(estimate(scan, box, OPTIONS)).toEqual({ found: false, reason: 'too_few_usable', usable: 1 })
      // Together with an unknown access point the box is still a single known one.
      const other = [...scan, { bssid: one, signalDbm: -50 }]
      expect(estimate(other, box, OPTIONS)).toEqual({ found: false, reason: 'too_few_known', usable: 2 })
    }
  })

  it('of several that contradict each other, also where one would be enough', () => {
    const apart = new Map([one, two].map((bssid, index) => [bssid, { ...place, lat: 48 + 4 * index }]))
    const scan = [one, two].map((bssid, index) => ({ bssid, signalDbm: -90 + 50 * index }))
    const options = { ...OPTIONS, minRadios: 1 }
    expect(estimate(scan, apart, options)).toMatchObject({ found: false, reason: 'too_few_known' })
    expect(estimate(scan.slice(1), apart, options)).toMatchObject({
      found: true,
      lat: expect.closeTo(52, 6) as unknown,
    })
  })

  it('of a single known radio with three unknown ones, unless a list says where it is, or it is heard in a small area', () => {
    const options = { ...OPTIONS, minRadios: 1 }
    const heard = { bssid: one, signalDbm: -50 }
    const by = (count: number, alone: Knowledge) =>
      estimate([heard, ...unknown(count)], new Map([[one, alone]]), options)
    const wide = { ...place, spreadMeters: 60 }
    expect(by(2, wide)).toMatchObject({ found: true })
    expect(by(3, wide)).toMatchObject({ found: false, reason: 'too_few_known' })
    expect(by(20, { ...place, spreadMeters: 0, observations: 1 })).toMatchObject({ found: true })
    expect(by(20, { ...place, observations: 3 })).toMatchObject({ found: true })
    expect(by(3, { ...place, observations: 2 })).toMatchObject({ found: false })
    const [learned] = [...known.values()]
    if (!learned || !isLearned(learned)) throw new Error('not learned')
    expect(by(2, { ...learned, observations: 1 })).toMatchObject({ found: true })
    expect(by(3, { ...learned, observations: 1 })).toMatchObject({ found: false })
    // Nor if it moves rather than stays.
    expect(by(0, { ...learned, moving: 0.6 })).toMatchObject({ found: false })
  })

  it('where nothing is known, or too few agree', () => {
    const scan = [
      { bssid: one, signalDbm: -50 },
      { bssid: two, signalDbm: -60 },
    ]
    expect(estimate(scan, new Map(), OPTIONS)).toMatchObject({ reason: 'none_known' })
    const apart = new Map([
      [one, place],
      [two, { ...place, lat: 50.1 }],
    ])
    expect(estimate(scan, apart, OPTIONS)).toMatchObject({ reason: 'too_few_known' })
  })

  it('of what moves', () => {
    const moving = new Map(
      [...known].map(([bssid, model]) => [bssid, isLearned(model) ? { ...model, moving: 0.95 } : model]),
    )
    expect(estimate(truths[0]?.scan ?? [], moving, OPTIONS)).toMatchObject({ reason: 'none_known' })
  })
})

/** To a millimeter: sums in another order differ in the last bits. */
function rounded(found: ReturnType<typeof estimate>) {
  if (!found.found) throw new Error(found.reason)
  return [found.lat.toFixed(8), found.lon.toFixed(8), found.radiusMeters.toFixed(3), found.used, found.tier]
}
