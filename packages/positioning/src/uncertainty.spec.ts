import { expect, it } from '@jest/globals'
import { quantileRegression } from './quantile-regression.js'
import { DEFAULT_CALIBRATION, LEAST_OUTCOMES, radiusOf, refit, type Outcome } from './uncertainty.js'

/** Numbers between 0 and 1, spread evenly and out of order. */
const even = (index: number) => (index * 0.618033988749895) % 1

it('finds the quantiles of a line', () => {
  const samples = Array.from({ length: 2_000 }, (_, index) => {
    const x = even(index * 7)
    return { features: [1, x], value: 2 + 3 * x + even(index) }
  })
  for (const quantile of [0.68, 0.95]) {
    const [constant = NaN, slope = NaN] = quantileRegression(samples, quantile, {
      coefficients: [0, 0],
      samples: 0.01,
    })
    expect(constant + slope / 2).toBeCloseTo(2 + 1.5 + quantile, 1)
    expect(slope).toBeCloseTo(3, 0)
  }
})

it('goes through both fitted radii, and between them', () => {
  const calibration = { p68: [Math.log(10)], p95: [Math.log(25)] }
  expect(radiusOf([1], calibration, 68)).toBeCloseTo(10, 9)
  expect(radiusOf([1], calibration, 95)).toBeCloseTo(25, 9)
  expect(radiusOf([1], calibration, 80)).toBeGreaterThan(10)
  expect(radiusOf([1], calibration, 80)).toBeLessThan(25)
  // What was fitted may cross; radii do not.
  expect(radiusOf([1], { p68: [Math.log(10)], p95: [Math.log(5)] }, 95)).toBeCloseTo(12, 9)
})

it('learns how exact an organization’s own sites are, once it has enough scans that say so', () => {
  const features = Float64Array.of(1, 1.1, 2.2, 2, 2, 0.9, 2)
  const typical = radiusOf(features, DEFAULT_CALIBRATION, 68)
  const outcomes = Array.from({ length: 2_000 }, (_, index): Outcome => ({
    features,
    errorMeters: 4 * typical * 2 * even(index),
  }))
  expect(refit(outcomes.slice(0, LEAST_OUTCOMES - 1))).toBe(DEFAULT_CALIBRATION)
  const own = refit(outcomes)
  for (const [confidence, share] of [
    [68, 0.68],
    [95, 0.95],
  ] as const) {
    const radius = radiusOf(features, own, confidence)
    const held = outcomes.filter(({ errorMeters }) => errorMeters <= radius).length / outcomes.length
    expect(Math.abs(held - share)).toBeLessThan(0.04)
  }
})
