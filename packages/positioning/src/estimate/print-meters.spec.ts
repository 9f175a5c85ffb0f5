import { describe, expect, it } from '@jest/globals'
import { printMeters } from './print-meters.js'

/** Points of a grid, the nearest to its middle first. */
function grid(spacing: number, samples = 1) {
  const points = [-2, -1, 0, 1, 2].flatMap((x) =>
    [-2, -1, 0, 1, 2].map((y) => ({ x: x * spacing, y: y * spacing })),
  )
  return points
    .sort((one, other) => Math.hypot(one.x, one.y) - Math.hypot(other.x, other.y))
    .flatMap((point) => Array.from({ length: samples }, () => point))
    .slice(0, 30)
}

describe('how far from a reference scan its likes are', () => {
  it('is less the denser the survey, from 4 m down to 1.2', () => {
    expect(printMeters(grid(0.5), 1)).toBe(1.2)
    expect(printMeters(grid(3), 1)).toBeGreaterThan(1.2)
    expect(printMeters(grid(3), 1)).toBeLessThan(4)
    expect(printMeters(grid(10), 1)).toBe(4)
  })

  it('is 4 m where all of them were taken at one place: nothing says how dense the survey is', () => {
    expect(printMeters(grid(0.5, 30), 1)).toBe(4)
  })

  it('is 15 m more where nothing is like the scan', () => {
    expect(printMeters(grid(0.5), 0)).toBeCloseTo(16.2)
  })
})
