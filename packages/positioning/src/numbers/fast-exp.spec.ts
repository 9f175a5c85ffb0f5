import { expect, it } from '@jest/globals'
import { fastExp } from './fast-exp.js'

it('is off by less than 10^-11 of the value, and has no gap at either end of its table', () => {
  for (let x = -17; x < 17; x += 1 / 1_003) expect(Math.abs(fastExp(x) / Math.exp(x) - 1)).toBeLessThan(1e-11)
  expect(fastExp(0)).toBe(1)
})

it('is that of Math beyond its table', () => {
  for (const x of [-Infinity, -800, -16.1, 16, 700, Infinity, NaN]) expect(fastExp(x)).toBe(Math.exp(x))
})
