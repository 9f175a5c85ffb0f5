import { USER_CODE_LETTERS, UserCode, formatUserCode } from '@bearing/contracts/identity/people/login'
import { describe, expect, it } from '@jest/globals'
import { newUserCode } from './user-code.js'

describe('a user code', () => {
  it('uses every letter equally often over all bytes, and skips the bytes that would favor some', () => {
    let next = 0
    const counts = new Map<string, number>()
    const bytes = (length: number) => Uint8Array.from({ length }, () => next++ % 256)
    // 30 codes of 8 letters take the 240 usable bytes once.
    for (let code = 0; code < 30; code++)
      for (const letter of newUserCode(bytes)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect([...counts.keys()].sort().join('')).toBe(USER_CODE_LETTERS)
    expect(new Set(counts.values())).toEqual(new Set([12]))
  })

  it('is read back however it is typed', () => {
    for (const typed of ['BCDF-GHJK', ' bcdf ghjk ', 'bcdfghjk', 'B C D F\u2011GHJK'])
      expect(UserCode.parse(typed)).toBe('BCDFGHJK')
    expect(formatUserCode('BCDFGHJK')).toBe('BCDF-GHJK')
  })

  it.each(['', 'BCDFGHJ', 'BCDFGHJKL', 'ABCDFGHJ', 'BCDF-GHJ1', "BCDFGHJ'"])('is not %j', (typed) => {
    expect(UserCode.safeParse(typed).success).toBe(false)
  })
})
