import { expect, it } from '@jest/globals'
import type { KnownCell } from './locate-cells.js'
import { isOutsideCells } from './outside-cells.js'

const METER = 1 / 111_195
const HOME = { lat: 48, lon: 11 }
const at = (east: number, north: number) => ({
  lat: HOME.lat + north * METER,
  lon: HOME.lon + (east * METER) / Math.cos((HOME.lat * Math.PI) / 180),
})
const cellAt = (east: number, rangeMeters: number, samples: number): KnownCell => ({
  ...at(east, 0),
  rangeMeters,
  samples,
})

it('a place is outside of cells if it is far outside of each, and each is well known', () => {
  const [town, next] = [cellAt(0, 500, 50), cellAt(6_000, 500, 50)]
  expect(isOutsideCells(at(600, 0), 50, [town])).toBe(false)
  expect(isOutsideCells(at(3_000, 0), 50, [town])).toBe(true)
  expect(isOutsideCells(at(3_000, 0), 2_000, [town])).toBe(false)
  expect(isOutsideCells(at(6_100, 0), 50, [town, next])).toBe(false)
  expect(isOutsideCells(at(3_000, 0), 50, [town, next])).toBe(true)
})

it('cells that are hardly known, or whose range is not, are nowhere outside, and neither are none', () => {
  for (const cells of [[], [cellAt(0, 500, 7)], [cellAt(0, 0, 50)], [cellAt(0, 500, 50), cellAt(0, 500, 1)]])
    expect(isOutsideCells(at(20_000, 0), 50, cells)).toBe(false)
})

it('in made-up cells no device in a hundred seems to be outside, and nearly every access point from elsewhere does', () => {
  let state = 7
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const inDisc = (radius: number) => {
    const [distance, angle] = [radius * Math.sqrt(next()), 2 * Math.PI * next()]
    return [distance * Math.cos(angle), distance * Math.sin(angle)] as const
  }
  let [outside, found, runs] = [0, 0, 0]
  for (const radius of [300, 800, 2_000, 6_000])
    for (let run = 0; run < 250; run++) {
      const places = Array.from({ length: 8 + Math.floor(40 * next()) }, () => inDisc(radius))
      const mean = (axis: 0 | 1) => places.reduce((sum, place) => sum + place[axis], 0) / places.length
      const [east, north] = [mean(0), mean(1)]
      const squares = places.reduce((sum, place) => sum + (place[0] - east) ** 2 + (place[1] - north) ** 2, 0)
      const rangeMeters = Math.sqrt((2 * squares) / places.length)
      const cell = { ...at(east, north), rangeMeters, samples: places.length }
      runs++
      // An access point is received within a hundred meters.
      const [x, y] = inDisc(radius)
      if (isOutsideCells(at(x + 100 * next(), y), 60, [cell])) outside++
      if (isOutsideCells(at(3 * radius + 2_000, y), 60, [cell])) found++
    }
  expect(outside / runs).toBeLessThan(0.01)
  expect(found / runs).toBeGreaterThan(0.95)
})
