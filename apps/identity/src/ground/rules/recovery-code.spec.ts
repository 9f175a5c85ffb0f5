import { describe, expect, it } from '@jest/globals'
import { RECOVERY_CODE_BYTES, formatRecoveryCode, normalizeRecoveryCode } from './recovery-code.js'

describe('recovery codes', () => {
  it('have four groups of four characters that are not taken for one another', () => {
    const code = formatRecoveryCode(new Uint8Array(RECOVERY_CODE_BYTES).map((_, i) => i * 25))
    expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  })

  it('are the same however they are typed', () => {
    for (const typed of ['01ab-cdef-gh0j-k1mn', '01ABCDEFGH0JK1MN', ' OlAb cdef ghoj kImn '])
      expect(normalizeRecoveryCode(typed)).toBe('01abcdefgh0jk1mn')
  })
})
