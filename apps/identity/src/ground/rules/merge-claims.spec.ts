import { describe, expect, it } from '@jest/globals'
import { mergeClaims } from './merge-claims.js'

describe('the claims of an ID token and of the userinfo endpoint', () => {
  it('never combine the email address of one with the verification of the other', () => {
    const withEmail = { sub: 's', email: 'victim@example.com' }
    const verified = { sub: 's', email: 'attacker@example.com', email_verified: true }
    expect(mergeClaims(withEmail, verified)).toEqual({ ...withEmail, email_verified: undefined })
    expect(mergeClaims({ sub: 's', email_verified: true }, withEmail)).toEqual({
      ...withEmail,
      email_verified: undefined,
    })
  })

  it('verify an address by the userinfo endpoint if both name it', () => {
    const thin = { sub: 's', email: 'Ada@example.com' }
    const userinfo = { sub: 's', email: 'ada@example.com', email_verified: true }
    expect(mergeClaims(thin, userinfo)).toEqual({ ...thin, email_verified: true })
    expect(mergeClaims({ ...thin, email_verified: false }, userinfo)).toMatchObject({ email_verified: false })
  })

  it('are both used, and the ID token takes precedence', () => {
    const userinfo = {
      sub: 's',
      email: 'a@example.com',
      email_verified: true,
      team: 't',
      name: 'of userinfo',
    }
    expect(mergeClaims({ sub: 's', name: 'of the token' }, userinfo)).toEqual({
      ...userinfo,
      name: 'of the token',
    })
  })
})
