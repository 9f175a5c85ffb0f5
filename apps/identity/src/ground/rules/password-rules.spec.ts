import { describe, expect, it } from '@jest/globals'
import { passwordMistake } from './password-rules.js'

describe('a new password', () => {
  const email = 'ada.lovelace@example.com'

  it('may be any words, and needs no digits or signs', () => {
    expect(passwordMistake('correct horse battery', email)).toBeUndefined()
  })

  it('must not contain the email address or a part of it, in any case', () => {
    for (const password of [`my ${email} 1`, 'ADA.Lovelace 1843!', 'at Example.COM today'])
      expect(passwordMistake(password, email)).toContain('email address')
  })

  it('may contain what is only a few letters of the address', () => {
    expect(passwordMistake('bouquet of roses', 'bo@example.com')).toBeUndefined()
  })

  it('may not look like a token, because nobody could sign in with it', () => {
    expect(passwordMistake('brgu_0123456789', email)).toContain('token')
  })
})
