import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { areOfRadios, countRadios } from './radio.js'

const BASE = 0x9c_3d_cf_01_02_00
const bssids = fc.array(
  fc
    .record({
      upper: fc.constantFrom(0x9c_3d_cf, 0x9e_3d_cf, 0x02_00_5e),
      serial: fc.integer({ min: -80, max: 200 }),
    })
    .map(({ upper, serial }) => upper * 2 ** 24 + ((serial + 2 ** 24) % 2 ** 24)),
  { maxLength: 12 },
)

describe('counting boxes', () => {
  it('counts addresses up to 32 apart once and addresses further apart twice', () => {
    expect(countRadios([BASE, BASE + 32])).toBe(1)
    expect(countRadios([BASE, BASE + 33])).toBe(2)
  })

  it('counts a long run of consecutive addresses as several boxes, in whatever order they come', () => {
    const run = Array.from({ length: 100 }, (_, index) => BASE + ((index * 37) % 100))
    expect(countRadios(run)).toBe(4)
    expect(areOfRadios(run, 4)).toBe(true)
    expect(areOfRadios(run, 5)).toBe(false)
  })

  it('decides whether there are enough boxes as counting them does, in any order', () => {
    fc.assert(
      fc.property(bssids, fc.integer({ min: 1, max: 5 }), (list, least) => {
        expect(areOfRadios(list, least)).toBe(countRadios(list) >= least)
      }),
    )
  })

  it('never counts two addresses of one block of 33 addresses as two boxes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 24 - 33 }),
        fc.array(fc.integer({ min: 0, max: 32 }), { minLength: 1, maxLength: 8 }),
        (start, offsets) => {
          expect(countRadios(offsets.map((offset) => start + offset))).toBe(1)
        },
      ),
    )
  })
})
