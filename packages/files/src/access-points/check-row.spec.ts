import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkRow } from './check-row.js'

const MAC = '02:00:00:00:00:10'

it('a coordinate is the number that is written, however it is written', () => {
  const digits = (most: number) =>
    fc.string({ unit: fc.constantFrom('0', '1', '4', '5', '9'), maxLength: most })
  const written = fc.oneof(
    fc.tuple(fc.constantFrom('', '-', '+', ' '), digits(4), fc.constantFrom('', '.'), digits(9)),
    fc.tuple(fc.double({ min: -91, max: 91, noNaN: true }).map(String)),
    fc.tuple(fc.constantFrom('', '.', '-', '-.', '1.', '.5', '-0.0', '90.0', '90.0000001', '1e1', '1.2.3')),
  )
  fc.assert(
    fc.property(written, (parts) => {
      const text = parts.join('')
      const degrees = text.trim() === '' ? Number.NaN : Number(text)
      const expected =
        Math.abs(degrees) <= 90
          ? [0x02_00_00_00_00_10, Math.round(degrees * 1e7) / 1e7 + 0, 7, null]
          : 'bad_coordinates'
      const read = checkRow(MAC, text, '7', null)
      expect(typeof read === 'string' ? read : [read[0], read[1] + 0, read[2], read[3]]).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})
