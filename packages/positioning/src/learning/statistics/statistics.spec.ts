import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { EARTH_RADIUS_METERS, squaredDistance, toVector } from '../../earth/sphere.js'
import { MOST_CELLS } from './layer-of-cells.js'
import { modelOf } from './model-of.js'
import { MOST_SITES } from './sites.js'
import {
  age,
  HALF_LIFE_DAYS,
  merge,
  periodOf,
  statisticsOf,
  weightOf,
  type AccessPointStatistics,
  type Observation,
} from './statistics.js'
import { decodeStatistics, encodeStatistics } from './statistics-codec.js'

/** Degrees of latitude. */
const METER = 180 / (Math.PI * EARTH_RADIUS_METERS)

/** Observations around a place that may be anywhere, some of them so far away that cells and sites have to grow. */
const observations = fc
  .record({
    lat: fc.double({ min: -89, max: 89, noNaN: true }),
    lon: fc.double({ min: -180, max: 179, noNaN: true }),
    seen: fc.array(
      fc.record({
        north: fc.double({ min: -1, max: 1, noNaN: true }),
        east: fc.double({ min: -1, max: 1, noNaN: true }),
        reach: fc.constantFrom(5, 50, 500, 5_000),
        signalDbm: fc.integer({ min: -110, max: -20 }),
        accuracyMeters: fc.integer({ min: 1, max: 200 }),
        day: fc.integer({ min: 15_000, max: 25_000 }),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  })
  .map(({ lat, lon, seen }) =>
    seen.map(({ north, east, reach, signalDbm, accuracyMeters, day }): Observation => ({
      lat: lat + north * reach * METER,
      lon: lon + east * reach * METER,
      signalDbm,
      weight: weightOf(accuracyMeters),
      day,
    })),
  )

const together = (seen: readonly Observation[]) => merge(seen.map(statisticsOf))

describe('statistics', () => {
  it('come to exactly the same one by one as rebuilt from all observations together', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const incremental = seen
          .slice(1)
          .reduce<AccessPointStatistics>(
            (known, observation) => merge([known, statisticsOf(observation)]),
            statisticsOf(seen[0] ?? fail()),
          )
        expect(incremental).toEqual(together(seen))
      }),
    )
  })

  it('come to exactly the same in any order, and from any parts', () => {
    fc.assert(
      fc.property(
        observations.chain((seen) =>
          fc.tuple(
            fc.constant(seen),
            fc.shuffledSubarray(seen, { minLength: seen.length }),
            fc.integer({ min: 1, max: seen.length }),
          ),
        ),
        ([seen, shuffled, cut]) => {
          const parts = [shuffled.slice(0, cut), shuffled.slice(cut)].filter((part) => part.length > 0)
          expect(merge(parts.map(together))).toEqual(together(seen))
          expect(merge(parts.map(together).reverse())).toEqual(together(seen))
        },
      ),
    )
  })

  it('come to exactly the same whether they age first or are merged first', () => {
    fc.assert(
      fc.property(observations, observations, fc.integer({ min: 0, max: 12 }), (one, other, later) => {
        const [a, b] = [together(one), together(other)]
        const period = Math.max(a.period, b.period) + later
        expect(merge([age(a, period), age(b, period)])).toEqual(age(merge([a, b]), period))
      }),
    )
  })

  it('keep their sums whatever the size of cells and sites, and stay small', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const { period, bands, sites } = together(seen)
        const weight = seen.reduce((sum, one) => sum + one.weight * 2 ** (periodOf(one.day) - period), 0)
        const ofCells = bands.flatMap(({ cells }) => cells).reduce((sum, cell) => sum + cell.weight, 0)
        expect(ofCells).toBe(weight)
        expect(sites.sites.reduce((sum, site) => sum + site.weight, 0)).toBe(weight)
        for (const { cells } of bands) expect(cells.length).toBeLessThanOrEqual(MOST_CELLS)
        expect(sites.sites.length).toBeLessThanOrEqual(MOST_SITES)
      }),
    )
  })

  it('survive being stored as JSON', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const statistics = together(seen)
        expect(JSON.parse(JSON.stringify(statistics))).toEqual(statistics)
      }),
    )
  })
})

describe('a model', () => {
  const spot = { lat: 48.1, lon: 11.5 }
  const at = (north: number, day: number, signalDbm = -60): Observation => ({
    lat: spot.lat + north * METER,
    lon: spot.lon,
    signalDbm,
    weight: 8,
    day,
  })
  const modeled = (seen: readonly Observation[]) => modelOf(together(seen)) ?? fail()

  it('of one spot lies there, to a centimeter', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -89.9, max: 89.9, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (lat, lon) => {
          const model = modeled([{ lat, lon, signalDbm: -50, weight: 8, day: 20_000 }])
          expect(Math.sqrt(squaredDistance(toVector(model), toVector({ lat, lon })))).toBeLessThan(0.015)
          expect(model.observations).toBe(1)
        },
      ),
    )
  })

  it('lies where strong signals are heard, and knows bands and cells apart', () => {
    const model = modeled([at(0, 20_000, -40), at(0, 20_000, -42), at(60, 20_000, -85), at(80, 20_000, -88)])
    expect(Math.sqrt(squaredDistance(toVector(model), toVector(spot)))).toBeLessThan(25)
    expect(model.bands[0]).toBe(2)
    expect(model.bands[3 * 4]).toBe(2)
    expect(model.cells.length / 5).toBe(3)
  })

  it('of what was moved once lies at its new home, and is not thought to move', () => {
    const years = Array.from({ length: 10 }, (_, day) => at(0, 19_000 + day))
    const since = Array.from({ length: 3 }, (_, day) => at(3_000, 20_000 + day))
    const model = modeled([...years, ...since])
    expect(
      Math.sqrt(squaredDistance(toVector(model), toVector({ ...spot, lat: spot.lat + 3_000 * METER }))),
    ).toBeLessThan(5)
    expect(model.moving).toBeLessThan(0.1)
  })

  it('of what is heard here and there by turns is thought to move, the more the oftener', () => {
    const turns = (count: number) =>
      modeled(Array.from({ length: count }, (_, day) => at(day % 2 === 0 ? 0 : 2_000, 20_000 + day))).moving
    expect(turns(2)).toBeLessThan(turns(6))
    expect(turns(20)).toBeGreaterThan(0.4)
    const everywhere = modeled(
      Array.from({ length: 60 }, (_, day) => at(700 * ((day * 7) % 60), 20_000 + day)),
    )
    expect(everywhere.moving).toBeGreaterThan(0.8)
  })

  it('counts half after a half-life', () => {
    const statistics = together([at(0, 20_000), at(0, 20_000)])
    expect(modelOf(age(statistics, statistics.period + 1))?.observations).toBe(1)
    expect(periodOf(20_000 + HALF_LIFE_DAYS)).toBe(periodOf(20_000) + 1)
  })
})

function fail(): never {
  throw new Error('there is nothing')
}

describe('statistics as bytes', () => {
  it('are read back bit by bit, however far they have aged', () => {
    fc.assert(
      fc.property(observations, fc.integer({ min: 0, max: 70 }), (seen, periods) => {
        const together = merge(seen.map(statisticsOf))
        const aged = age(together, together.period + periods)
        expect(decodeStatistics(encodeStatistics(aged))).toEqual(aged)
      }),
    )
  })

  it('are the same bytes, whatever came first', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const parts = seen.map(statisticsOf)
        expect(encodeStatistics(merge(parts))).toEqual(encodeStatistics(merge(parts.reverse())))
      }),
    )
  })

  it('are few: 50 at most for one observation, 25 more for each cell and 16 for each site', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const parts = seen.map((observation) => statisticsOf({ ...observation, day: 20_000 }))
        expect(encodeStatistics(merge(parts.slice(0, 1))).length).toBeLessThanOrEqual(50)
        const together = merge(parts)
        const cells = together.bands.reduce((sum, band) => sum + band.cells.length, 0)
        const sites = together.sites.sites.length
        expect(encodeStatistics(together).length).toBeLessThanOrEqual(40 + 25 * cells + 16 * sites)
      }),
    )
  })

  it('that were cut off, or are of another version, are refused', () => {
    const bytes = encodeStatistics(statisticsOf({ lat: 48, lon: 11, signalDbm: -60, weight: 8, day: 20_000 }))
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeStatistics(bytes.subarray(0, length))).toThrow(RangeError)
    expect(() => decodeStatistics(Uint8Array.of(2, ...bytes.subarray(1)))).toThrow(RangeError)
    expect(() => decodeStatistics(Uint8Array.of(...bytes, 0))).toThrow(RangeError)
  })
})
