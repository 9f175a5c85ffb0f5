import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { Strategy } from 'passport-http-bearer'
import { ACTIVE, ASKED_FOR, UNAVAILABLE, REFUSALS, identityFixture } from '../../testing/identity-fixture.js'
import { authenticate } from '../authenticate.js'
import { BearerStrategy } from './bearer-strategy.js'

describe.each(['organization_token', 'legacy_token'] as const)('the strategy for %s', (kind) => {
  let identity: Awaited<ReturnType<typeof identityFixture>>
  let strategy: BearerStrategy
  const present = (token: string) => authenticate(identity.authenticator, { kind, token }, ASKED_FOR)

  beforeEach(async () => {
    identity = await identityFixture()
    strategy = new BearerStrategy(identity.authenticator)
  })

  it('returns the caller of a right token', async () => {
    await expect(present('token')).resolves.toBe(ACTIVE)
    expect(identity.asked).toEqual([{ credential: { kind, token: 'token' }, askedFor: ASKED_FOR }])
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

  it.each(REFUSALS)(
    'refuses a token about which identity says %j with %s (%i)',
    async (answer, code, status) => {
      identity.answer = answer
      await expect(present('token')).rejects.toMatchObject({ code, status })
    },
  )

  it('fails with 503 and never 401 if identity cannot verify the credential', async () => {
    identity.answer = UNAVAILABLE
    await expect(present('token')).rejects.toMatchObject({ status: 503 })
  })

  it('passes on an unexpected error as it is, which is no refusal', async () => {
    identity.answer = new TypeError('a bug')
    await expect(present('token')).rejects.toBe(identity.answer)
  })

  it('gives the package one header, and no query and no body, in which it would look for further tokens', async () => {
    const validate = jest.spyOn(strategy, 'validate')
    await present('token')
    const [request] = validate.mock.calls[0] ?? []
    expect(request?.headers).toEqual({ authorization: 'Bearer token' })
    expect(request).not.toHaveProperty('query')
    expect(request).not.toHaveProperty('body')
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
