import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { Strategy } from 'passport-http-bearer'
import { ASKED_FOR, UNAVAILABLE, identityFixture } from '../../testing/identity-fixture.js'
import { authenticate } from '../authenticate.js'
import { BearerStrategy } from './bearer-strategy.js'

describe.each(['organization_token', 'legacy_token'] as const)('the strategy for %s', (kind) => {
  let identity: Awaited<ReturnType<typeof identityFixture>>
  const present = (token: string) => authenticate(identity.authenticator, { kind, token }, ASKED_FOR)

  beforeEach(async () => {
    identity = await identityFixture()
    new BearerStrategy(identity.authenticator)
  })

  it('sends every token to identity exactly as it was presented, with spaces and any other character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (token) => {
        identity.asked = []
        identity.answer = UNAVAILABLE // is never cached
        await present(token).catch(() => undefined)
        expect(identity.asked.map(({ credential }) => credential)).toEqual([{ kind, token }])
      }),
    )
  })
})

describe('passport-http-bearer 1.0.1', () => {
  it.each(['query', 'body'])('would accept a token from the %s of a request', (place) => {
    const verify = jest.fn()
    const request = { headers: {}, [place]: { access_token: 'token' } }
    new Strategy(verify).authenticate(request as never)
    expect(verify).toHaveBeenCalledWith('token', expect.any(Function))
  })
})
