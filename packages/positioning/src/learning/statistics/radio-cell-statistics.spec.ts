import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { KnownCell } from '../../cells/locate-cells.js'
import { EARTH_RADIUS_METERS, squaredDistance, toVector } from '../../earth/sphere.js'
import type { RadioCellReading } from '../evidence/contribution.js'
import { freshCells } from '../evidence/fresh-cells.js'
import { MOST_CELLS } from './layer-of-cells.js'
import { layeredRadioCell } from '../layers/layered-radio-cell.js'
import { knownRadioCell } from './radio-cell-model.js'
import {
  ageRadioCell,
  decodeRadioCell,
  encodeRadioCell,
  mergeRadioCells,
  radioCellStatisticsOf,
  radioCellWeight,
  withoutArea,
  type RadioCellObservation,
  type RadioCellStatistics,
} from './radio-cell-statistics.js'

/** Degrees of latitude. */
const METER = 180 / (Math.PI * EARTH_RADIUS_METERS)
const SPOT = { lat: 48.1, lon: 11.5 }

const at = (north: number, east = 0, more: Partial<RadioCellObservation> = {}): RadioCellObservation => ({
  lat: SPOT.lat + north * METER,
  lon: SPOT.lon + (east * METER) / Math.cos((SPOT.lat * Math.PI) / 180),
  ...{ radio: 4, signalDbm: -105, accuracyMeters: 5, period: 56 },
  ...more,
})
const together = (seen: readonly RadioCellObservation[]) => mergeRadioCells(seen.map(radioCellStatisticsOf))
const known = (seen: readonly RadioCellObservation[]) => knownRadioCell(together(seen)) ?? fail()
const metersOff = (cell: KnownCell, north: number) =>
  Math.sqrt(squaredDistance(toVector(cell), toVector(at(north))))

/** Observations anywhere on Earth, near to each other and far away. */
const observations = fc
  .tuple(
    fc.double({ min: -80, max: 80, noNaN: true }),
    fc.double({ min: -179, max: 179, noNaN: true }),
    fc.array(
      fc.record({
        north: fc.double({ min: -1, max: 1, noNaN: true }),
        east: fc.double({ min: -1, max: 1, noNaN: true }),
        reach: fc.constantFrom(50, 500, 5_000, 50_000),
        signalDbm: fc.option(fc.integer({ min: -156, max: -1 }), { nil: undefined }),
        accuracyMeters: fc.integer({ min: 1, max: 200 }),
        radio: fc.constantFrom(2, 3, 4, 5),
        period: fc.integer({ min: 40, max: 60 }),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  )
  .map(([lat, lon, seen]) =>
    seen.map(({ north, east, reach, ...observation }): RadioCellObservation => ({
      lat: lat + north * reach * METER,
      lon: lon + east * reach * METER,
      ...observation,
    })),
  )

describe('statistics of a radio cell', () => {
  it('come to exactly the same in any order, from any parts, one by one and rebuilt together', () => {
    fc.assert(
      fc.property(
        observations.chain((seen) =>
          fc.tuple(
            fc.constant(seen),
            fc.shuffledSubarray(seen, { minLength: seen.length }),
            fc.nat(seen.length),
          ),
        ),
        ([seen, shuffled, cut]) => {
          const parts = [shuffled.slice(0, cut), shuffled.slice(cut)].filter((part) => part.length > 0)
          const oneByOne = seen
            .slice(1)
            .reduce<RadioCellStatistics>(
              (sums, observation) => mergeRadioCells([sums, radioCellStatisticsOf(observation)]),
              radioCellStatisticsOf(seen[0] ?? fail()),
            )
          expect(oneByOne).toEqual(together(seen))
          expect(mergeRadioCells(parts.map(together))).toEqual(together(seen))
          expect(together(seen).squares.cells.length).toBeLessThanOrEqual(MOST_CELLS)
        },
      ),
    )
  })

  it('come to exactly the same whether they age first or are merged first, and count half after a half-life', () => {
    fc.assert(
      fc.property(observations, observations, fc.nat(12), (one, other, later) => {
        const [a, b] = [together(one), together(other)]
        const period = Math.max(a.period, b.period) + later
        expect(mergeRadioCells([ageRadioCell(a, period), ageRadioCell(b, period)])).toEqual(
          ageRadioCell(mergeRadioCells([a, b]), period),
        )
      }),
    )
    expect(ageRadioCell(together([at(0), at(0)]), 57).observations).toBe(1)
  })

  it('as bytes are read back bit by bit, and are few', () => {
    fc.assert(
      fc.property(observations, fc.nat(70), (seen, periods) => {
        const sums = together(seen)
        const aged = ageRadioCell(sums, sums.period + periods)
        expect(decodeRadioCell(encodeRadioCell(aged))).toEqual(aged)
      }),
    )
    const bytes = encodeRadioCell(radioCellStatisticsOf(at(0)))
    expect(bytes.length).toBeLessThanOrEqual(32)
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeRadioCell(bytes.subarray(0, length))).toThrow(RangeError)
    expect(() => decodeRadioCell(Uint8Array.of(9, ...bytes.subarray(1)))).toThrow(RangeError)
  })

  it('lose what was observed in an area, and nothing that lies clear of it', () => {
    const everywhere = together([at(0), at(100), at(3_000), at(3_000)])
    const kept = withoutArea(everywhere, SPOT, 150) ?? fail()
    expect(kept.observations).toBe(2)
    expect(kept.squares).toEqual(together([at(3_000), at(3_000)]).squares)
    expect(withoutArea(everywhere, at(10_000), 500)).toBe(everywhere)
    expect(withoutArea(everywhere, SPOT, 5_000)).toBeUndefined()
  })
})

describe('where a radio cell is', () => {
  it('is the mean of where it was heard, nearer to where it is strong', () => {
    expect(metersOff(known([at(0), at(1_000)]), 500)).toBeLessThan(1)
    const uneven = known([at(0, 0, { signalDbm: -80 }), at(1_000)])
    expect(metersOff(uneven, 0)).toBeLessThan(300)
    expect(radioCellWeight(4, -105)).toBe(1)
    expect(radioCellWeight(4, undefined)).toBe(1)
    expect(radioCellWeight(4, -30)).toBe(1)
    expect(radioCellWeight(3, -25)).toBe(16)
  })

  it('has the range of a disc that was driven through', () => {
    const disc = Array.from({ length: 4_000 }, (_, index) => {
      const [radius, angle] = [2_000 * Math.sqrt(index / 4_000), index * 2.399963]
      return at(radius * Math.sin(angle), radius * Math.cos(angle))
    })
    const { rangeMeters, samples, ...place } = known(disc)
    expect(rangeMeters).toBeGreaterThan(1_800)
    expect(rangeMeters).toBeLessThan(2_600)
    expect(samples).toBeGreaterThan(300)
    expect(metersOff({ ...place, rangeMeters, samples }, 0)).toBeLessThan(50)
  })

  it('is not made small, or certain, by a device that stands still', () => {
    const drive = [-2_000, -1_000, 1_000, 2_000].flatMap((north) => [at(north), at(north)])
    const parked = Array.from({ length: 1_000 }, () => at(0))
    expect(known([...drive, ...parked]).rangeMeters).toBeGreaterThan(1_500)
    expect(known(parked).samples).toBe(2)
  })

  it('leaves out what is too far away, and is unknown where there is no one place', () => {
    expect(metersOff(known([at(0), at(10), at(0), at(200_000)]), 0)).toBeLessThan(10)
    const scattered = Array.from({ length: 40 }, (_, index) => at(index * 90_000 - 1_800_000))
    expect(knownRadioCell(together(scattered))).toBeUndefined()
  })
})

describe('what the layers know of a radio cell', () => {
  const imported = (north: number, samples: number): KnownCell => ({
    ...at(north),
    rangeMeters: 900,
    samples,
  })
  const squares = (count: number, from = 0) =>
    together(Array.from({ length: count }, (_, index) => at(from + index * 400)))

  it('is what one has imported, or of the base layer and what it has learned what more observations say', () => {
    const shared = { imported: imported(9_000, 4) }
    expect(layeredRadioCell({ imported: imported(1, 3) }, shared)).toEqual(imported(1, 3))
    expect(layeredRadioCell({ statistics: squares(3) }, shared)).toEqual(imported(9_000, 4))
    expect(layeredRadioCell({ statistics: squares(9) }, shared)).toEqual(knownRadioCell(squares(9)))
    expect(layeredRadioCell({}, {})).toBeUndefined()
  })
})

it('of the cells of a scan those are learned from that can be, each once, with its strongest signal', () => {
  const cell: RadioCellReading = { radio: 4, mcc: 262, mnc: 1, area: 7, cell: 9 }
  const sent: RadioCellReading[] = [
    { ...cell, cell: 10, ageMs: 20_001 },
    { ...cell, cell: 2 ** 28 },
    { ...cell, cell: 0 },
    { ...cell, area: 0 },
    { ...cell, signalDbm: -100 },
    cell,
    { ...cell, signalDbm: -90, ageMs: 20_000 },
    { ...cell, radio: 2 },
  ]
  expect(freshCells(sent)).toEqual([
    { ...cell, radio: 2 },
    { ...cell, signalDbm: -90, ageMs: 20_000 },
  ])
})

function fail(): never {
  throw new Error('there is nothing')
}
