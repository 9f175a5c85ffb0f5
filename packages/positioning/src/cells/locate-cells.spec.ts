import { describe, expect, it } from '@jest/globals'
import { locateCells, type KnownCell } from './locate-cells.js'

const cell = (lat: number, rangeMeters: number, samples = 1_000): KnownCell => ({
  lat,
  lon: 11,
  rangeMeters,
  samples,
})
const radius = (cells: readonly KnownCell[], confidence = 68) =>
  locateCells(cells, confidence)?.radiusMeters ?? Number.NaN

describe('a position by radio cells', () => {
  it('is none where no cell is known', () => {
    expect(locateCells([], 68)).toBeUndefined()
  })

  it('of one cell is its middle, and 68 % of what is evenly in it lies within the radius', () => {
    expect(locateCells([cell(48, 1_000)], 68)?.lat).toBeCloseTo(48, 9)
    // Of a disc of 1000 m the circle with 68 % of its area has 825 m.
    expect(radius([cell(48, 1_000)])).toBeGreaterThan(700)
    expect(radius([cell(48, 1_000)])).toBeLessThan(900)
  })

  it('is nearer to the smaller cell', () => {
    const found = locateCells([cell(48, 500), cell(48.02, 2_000)], 68)
    expect(found?.used).toBe(2)
    expect(found?.lat).toBeLessThan(48.005)
  })

  it('is not more certain because a site has many cells, and less where few have observed the range', () => {
    const one = radius([cell(48, 1_000)])
    expect(radius(Array.from({ length: 6 }, () => cell(48, 1_000)))).toBeCloseTo(one, 6)
    expect(radius([cell(48, 1_000, 1)])).toBeGreaterThan(2 * one)
    expect(radius([cell(48, 0)])).toBeGreaterThan(2 * one)
    expect(radius([cell(48, 1_000)], 95)).toBeGreaterThan(1.5 * one)
  })

  it('leaves out a cell that lies too far from the others', () => {
    const found = locateCells([cell(48, 1_000), cell(48.01, 1_000), cell(52, 1_000)], 68)
    expect(found).toMatchObject({ used: 2, lat: expect.closeTo(48.005, 3) as unknown })
  })
})
