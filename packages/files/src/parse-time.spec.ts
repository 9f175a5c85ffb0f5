import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseTime } from './parse-time.js'

const second = fc
  .date({ min: new Date('2001-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => Math.floor(date.getTime() / 1_000) * 1_000)

it('is the same time with and without leading zeros, with a T, a fraction, and an offset', () => {
  fc.assert(
    fc.property(second, fc.integer({ min: -12, max: 14 }), (at, hours) => {
      const iso = new Date(at).toISOString()
      const [day = '', time = ''] = iso.slice(0, 19).split('T')
      const bare = `${day} ${time}`.replaceAll(/\b0(\d)/g, '$1')
      const there = new Date(at + hours * 3_600_000).toISOString().slice(0, 19)
      const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}`
      for (const text of [
        ...[
          iso,
          iso.slice(0, 19),
          `${day} ${time}`,
          bare,
          `${day} ${time}.250`,
          ` ${bare} `,
          `${day} ${time} UTC`,
        ],
        ...[`${there}${offset}:00`, `${there}${offset}00`, String(at), String(at / 1_000)],
      ])
        expect([text, parseTime(text)]).toEqual([text, at])
    }),
  )
})

it.each([
  ...[
    '',
    '2024',
    '2024-01-01',
    '10:00:00',
    '2024-13-01 10:00:00',
    '2024-02-30 10:00:00',
    '2024-01-01 24:00:00',
  ],
  ...['2024-01-01 10:60:00', '2024-01-01 10:00:61', '1,2', 'yesterday', '0', '-5', '20240101100000'],
])('what is no time is none: %j', (text) => {
  expect(parseTime(text)).toBeUndefined()
})
