import { expect, it } from '@jest/globals'
import { UsageError } from '../ground/usage-error.js'
import { expiryIn } from './bound-projects.js'

const NOW = Date.parse('2026-01-31T09:00:00Z')

it('a span is counted from now', () => {
  expect(expiryIn('12h', NOW)).toBe('2026-01-31T21:00:00.000Z')
  expect(expiryIn('90d', NOW)).toBe('2026-05-01T09:00:00.000Z')
  expect(expiryIn('2w', NOW)).toBe('2026-02-14T09:00:00.000Z')
})

it.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '90m', '1e3d'])('"%s" is no span', (text) => {
  expect(() => expiryIn(text, NOW)).toThrow(UsageError)
})
