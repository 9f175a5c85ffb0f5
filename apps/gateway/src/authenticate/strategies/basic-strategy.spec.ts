import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { BasicStrategy as HttpBasicStrategy } from 'passport-http'
import { parseCredential } from '../credential/parse-credential.js'
import { ASKED_FOR, UNAVAILABLE, identityFixture } from '../../testing/identity-fixture.js'
import { authenticate } from '../authenticate.js'
import { BasicStrategy } from './basic-strategy.js'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

describe('the strategy for users', () => {
  let identity: Awaited<ReturnType<typeof identityFixture>>
  const present = (email: string, secret: string) =>
    authenticate(identity.authenticator, { kind: 'user', email, secret }, ASKED_FOR)

  beforeEach(async () => {
    identity = await identityFixture()
    new BasicStrategy(identity.authenticator)
  })

  it('sends email address and secret to identity exactly as they were presented, and the secret with every ":"', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    await fc.assert(
      fc.asyncProperty(text, text, text, async (email, start, end) => {
        identity.asked = []
        identity.answer = UNAVAILABLE // is never cached
        const secret = `${start}:${end}:`
        await present(email, secret).catch(() => undefined)
        expect(identity.asked.map(({ credential }) => credential)).toEqual([{ kind: 'user', email, secret }])
      }),
    )
  })
})

describe('passport-http 0.3.0', () => {
  const extracted = (authorization: string) => {
    const verify = jest.fn()
    const strategy = new HttpBasicStrategy(verify)
    const fail = jest.fn()
    Object.assign(strategy, { fail }).authenticate({ headers: { authorization } } as never)
    return verify.mock.calls[0]?.slice(0, 2)
  }
  const parsed = (authorization: string) =>
    parseCredential(['authorization', authorization], new Set(), false)

  it('would cut a secret at its first ":", where the grammar keeps it', () => {
    expect(extracted(basic('a@b.example:x:y'))).toEqual(['a@b.example', 'x'])
    expect(parsed(basic('a@b.example:x:y'))).toMatchObject({ credential: { secret: 'x:y' } })
  })

  it('would refuse an empty user name, where the grammar finds an organization token', () => {
    expect(extracted(basic(':token'))).toBeUndefined()
    expect(parsed(basic(':token'))).toMatchObject({
      credential: { kind: 'organization_token', token: 'token' },
    })
  })

  it('would accept the scheme "NotBasicAtAll", where the grammar refuses it', () => {
    const header = `NotBasicAtAll ${basic('a@b.example:x').slice('Basic '.length)}`
    expect(extracted(header)).toEqual(['a@b.example', 'x'])
    expect(parsed(header)).toMatchObject({ outcome: 'malformed' })
  })
})
