import { expect, it } from '@jest/globals'
import { futureMoment } from './times.js'
import { UsageError } from './usage-error.js'

const NOW = Date.parse('2026-01-31T09:00:00Z')

it('a moment is read in UTC', () => {
  expect(futureMoment('2027-01-31', '--sunset', NOW)).toBe('2027-01-31T00:00:00.000Z')
  expect(futureMoment('2027-01-31T09:00:00+02:00', '--sunset', NOW)).toBe('2027-01-31T07:00:00.000Z')
})

it.each(['', '31.1.2027', '2027-13-01', '2027-01-31T09:00:00', 'tomorrow', '2025-01-31'])(
  '"%s" is refused',
  (text) => {
    expect(() => futureMoment(text, '--sunset', NOW)).toThrow(UsageError)
  },
)
