import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { BasicStrategy as HttpBasicStrategy } from 'passport-http'
import { parseCredential } from '../credential/parse-credential.js'
import { ACTIVE, ASKED_FOR, UNAVAILABLE, REFUSALS, identityFixture } from '../../testing/identity-fixture.js'
import { authenticate } from '../authenticate.js'
import { BasicStrategy } from './basic-strategy.js'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

describe('the strategy for users', () => {
  let identity: Awaited<ReturnType<typeof identityFixture>>
  let strategy: BasicStrategy
  const present = (email: string, secret: string) =>
    authenticate(identity.authenticator, { kind: 'user', email, secret }, ASKED_FOR)

  beforeEach(async () => {
    identity = await identityFixture()
    strategy = new BasicStrategy(identity.authenticator)
  })

  it('returns the caller of a right email address and secret', async () => {
    await expect(present('a@b.example', 'secret')).resolves.toBe(ACTIVE)
    const credential = { kind: 'user', email: 'a@b.example', secret: 'secret' }
    expect(identity.asked).toEqual([{ credential, askedFor: ASKED_FOR }])
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

  it.each(REFUSALS)(
    'refuses a pair about which identity says %j with %s (%i)',
    async (answer, code, status) => {
      identity.answer = answer
      await expect(present('a@b.example', 'secret')).rejects.toMatchObject({ code, status })
    },
  )

  it('fails with 503 and never 401 if identity cannot verify the credential', async () => {
    identity.answer = UNAVAILABLE
    await expect(present('a@b.example', 'secret')).rejects.toMatchObject({ status: 503 })
  })

  it('passes on an unexpected error as it is, which is no refusal', async () => {
    identity.answer = new TypeError('a bug')
    await expect(present('a@b.example', 'secret')).rejects.toBe(identity.answer)
  })

  it('gives the package the one header and nothing else', async () => {
    const validate = jest.spyOn(strategy, 'validate')
    await present('a@b.example', 'x:y')
    const [request] = validate.mock.calls[0] ?? []
    expect(request?.headers).toEqual({ authorization: basic('a%40b.example:x%3Ay') })
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
