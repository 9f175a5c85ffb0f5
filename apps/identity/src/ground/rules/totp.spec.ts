import { describe, expect, it } from '@jest/globals'
import { base32, totpCode, totpStep, totpUri } from './totp.js'

/** The secret of the test vectors in RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890')
const STEP_S = 30

describe('TOTP', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('gives the codes of RFC 6238: after %d seconds %s', (seconds, code) => {
    expect(totpCode(SECRET, Math.floor(seconds / STEP_S))).toBe(code)
    expect(totpStep(SECRET, code, seconds * 1_000, 0)).toBe(Math.floor(seconds / STEP_S))
  })

  it('takes the code of the step before and after, and of no other', () => {
    const step = 50_000_000
    const nowMs = step * STEP_S * 1_000 + 15_000
    const accepted = [-3, -2, -1, 0, 1, 2, 3].filter(
      (offset) => totpStep(SECRET, totpCode(SECRET, step + offset), nowMs, 0) !== undefined,
    )
    expect(accepted).toEqual([-1, 0, 1])
  })

  it('takes no code of the step that was accepted last, nor of one before it', () => {
    const step = 50_000_000
    const nowMs = step * STEP_S * 1_000
    const at = (offset: number, lastStep: number) =>
      totpStep(SECRET, totpCode(SECRET, step + offset), nowMs, lastStep)
    expect(at(0, step)).toBeUndefined()
    expect(at(-1, step)).toBeUndefined()
    expect(at(1, step)).toBe(step + 1)
    expect(at(0, step - 1)).toBe(step)
  })

  it.each(['', '28708', '2870822', '٢٨٧٠٨٢', 'abcdef'])('refuses "%s" without a fuss', (code) => {
    expect(totpStep(SECRET, code, 59_000, 0)).toBeUndefined()
  })

  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('writes "%s" in base 32 as RFC 4648 does', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })

  it('gives authenticators an address in which nothing runs into anything else', () => {
    const uri = new URL(totpUri(SECRET, 'Acme & Söhne', 'a+b@example.com'))
    expect(decodeURIComponent(uri.pathname)).toBe('/Acme & Söhne:a+b@example.com')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      issuer: 'Acme & Söhne',
    })
  })
})
