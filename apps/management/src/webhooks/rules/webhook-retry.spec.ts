import { describe, expect, it } from '@jest/globals'
import { retryAfterMs, retryDelayMs } from './webhook-retry.js'

const DELAYS = [5_000, 300_000]

describe('a delivery that was not accepted', () => {
  it('is tried again after the pause of its attempt, up to a fifth later', () => {
    expect(retryDelayMs(DELAYS, 1, 0)).toBe(5_000)
    expect(retryDelayMs(DELAYS, 2, 0)).toBe(300_000)
    expect(retryDelayMs(DELAYS, 1, 1)).toBe(6_000)
  })

  it('ends after the last pause', () => {
    expect(retryDelayMs(DELAYS, 3, 0)).toBeUndefined()
    expect(retryDelayMs(DELAYS, 3, 0, 60_000)).toBeUndefined()
  })

  it('waits for as long as the receiver asks, and no longer than an hour because of that', () => {
    expect(retryDelayMs(DELAYS, 1, 0, 60_000)).toBe(60_000)
    expect(retryDelayMs(DELAYS, 1, 0, 1e12)).toBe(3_600_000)
    expect(retryDelayMs(DELAYS, 2, 0, 60_000)).toBe(300_000)
  })

  it.each([
    ['120', 120_000],
    ['0', 0],
    [null, 0],
    ['-1', 0],
    ['Wed, 21 Oct 2026 07:30:00 GMT', 120_000],
    ['Wednesday, 21-Oct-26 07:30:00 GMT', 120_000],
    ['Wed Oct 21 07:30:00 2026', 120_000],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['2026-10-21T07:30:00Z', 0],
    ['tomorrow', 0],
  ])('where the receiver asks for %s, waits so many milliseconds at least: %d', (header, ms) =>
    expect(retryAfterMs(header, Date.UTC(2026, 9, 21, 7, 28))).toBe(ms),
  )
})
