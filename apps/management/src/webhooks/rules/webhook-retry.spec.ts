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
    ['Wed, 21 Oct 2027 07:28:00 GMT', 0],
    ['9'.repeat(40), 0],
  ])('where the receiver asks for %s, waits so many milliseconds at least: %d', (header, ms) => {
    expect(retryAfterMs(header)).toBe(ms)
  })
})
