import { describe, expect, it } from '@jest/globals'
import { backoffSeconds } from './backoff.js'

describe('the back-off after wrong passwords', () => {
  it('costs nothing at first, then doubles', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((failures) => backoffSeconds(failures, 2, 900))
    expect(waits).toEqual([0, 0, 1, 2, 4, 8])
  })

  it('never waits longer than its limit, however many have failed', () => {
    expect([20, 1_000, 1_000_000].map((failures) => backoffSeconds(failures, 2, 900))).toEqual([
      900, 900, 900,
    ])
  })
})
