import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fastLog } from './fast-log.js'

/** Returns the error, in parts of the larger of 1 and the logarithm. */
const off = (x: number) => Math.abs(fastLog(x) - Math.log(x)) / Math.max(1, Math.abs(Math.log(x)))

it('is off by less than 10^-12, also at the ends of the parts of its table', () => {
  for (let part = 0; part <= 128; part++)
    for (const x of [1 + part / 128, 1 + part / 128 - 2 ** -53, 1 + (part + 0.5) / 128])
      for (const scale of [2 ** -1_000, 2 ** -1, 1, 2, 2 ** 1_000]) expect(off(x * scale)).toBeLessThan(1e-12)
  const positive = fc.double({ min: 2 ** -1_022, max: Number.MAX_VALUE, noNaN: true })
  fc.assert(
    fc.property(positive, (x) => {
      expect(off(x)).toBeLessThan(1e-12)
    }),
  )
})

it('is that of Math for what has no exponent of its own', () => {
  for (const x of [0, -0, -1, Number.MIN_VALUE, 2 ** -1_023, Infinity, -Infinity, NaN])
    expect(fastLog(x)).toBe(Math.log(x))
})
