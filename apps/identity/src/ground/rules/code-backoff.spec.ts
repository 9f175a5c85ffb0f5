import { describe, expect, it } from '@jest/globals'
import { codeWaitMs } from './code-backoff.js'

describe('waiting after wrong codes', () => {
  it('begins with the fifth, doubles, and is never longer than a quarter of an hour', () => {
    expect([1, 4, 5, 6, 7, 8, 9, 10, 1_000_000].map((failures) => codeWaitMs(failures) / 1_000)).toEqual([
      0, 0, 30, 60, 120, 240, 480, 900, 900,
    ])
  })
})
