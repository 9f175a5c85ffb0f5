import { expect, it } from '@jest/globals'
import { deviationOf, positionFeaturesOf, radiusOf } from './uncertainty.js'

it('goes through both fitted radii, and between them', () => {
  const calibration = { p68: [Math.log(10)], p95: [Math.log(25)] }
  expect(radiusOf([1], calibration, 68)).toBeCloseTo(10, 9)
  expect(radiusOf([1], calibration, 95)).toBeCloseTo(25, 9)
  expect(radiusOf([1], calibration, 80)).toBeGreaterThan(10)
  expect(radiusOf([1], calibration, 80)).toBeLessThan(25)
  // Fitted quantiles may cross; radii do not.
  expect(radiusOf([1], { p68: [Math.log(10)], p95: [Math.log(5)] }, 95)).toBeCloseTo(12, 9)
})

it('says how far off an estimate is without a calibration', () => {
  const features = positionFeaturesOf({ heard: 3, agreeing: 2, radios: 2 }, 40, -60)
  expect(deviationOf(features)).toBeCloseTo(40, 9)
  expect(deviationOf([1, Math.log(7), 0.5, 0.3, 0, 0.2, 1, 0, 0, 0, 0, 0])).toBeCloseTo(7, 9)
})
