import { expect, it } from '@jest/globals'
import { radiusOf } from './uncertainty.js'

it('goes through both fitted radii, and between them', () => {
  const calibration = { p68: [Math.log(10)], p95: [Math.log(25)] }
  expect(radiusOf([1], calibration, 68)).toBeCloseTo(10, 9)
  expect(radiusOf([1], calibration, 95)).toBeCloseTo(25, 9)
  expect(radiusOf([1], calibration, 80)).toBeGreaterThan(10)
  expect(radiusOf([1], calibration, 80)).toBeLessThan(25)
  // What was fitted may cross; radii do not.
  expect(radiusOf([1], { p68: [Math.log(10)], p95: [Math.log(5)] }, 95)).toBeCloseTo(12, 9)
})
