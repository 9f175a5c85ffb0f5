import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import { ACTIVE, ASKED_FOR, UNAVAILABLE, REFUSALS, identityFixture } from '../../testing/identity-fixture.js'
import { authenticate } from '../authenticate.js'
import { BasicStrategy } from './basic-strategy.js'
import { BearerStrategy } from './bearer-strategy.js'
import { ProjectKeyStrategy } from './project-key-strategy.js'
import { SessionStrategy } from './session-strategy.js'

const pair = Buffer.from('a%40b.example:x%3Ay').toString('base64')
const bearer = { authorization: 'Bearer abc' }

describe.each([
  ['project keys', ProjectKeyStrategy, { kind: 'project_key', key: 'abc' }, { 'project-key': 'abc' }],
  ['sessions', SessionStrategy, { kind: 'session', token: 'abc' }, { cookie: '__Host-bearing_session=abc' }],
  [
    'users',
    BasicStrategy,
    { kind: 'user', email: 'a@b.example', secret: 'x:y' },
    { authorization: `Basic ${pair}` },
  ],
  ['organization tokens', BearerStrategy, { kind: 'organization_token', token: 'abc' }, bearer],
  ['legacy tokens', BearerStrategy, { kind: 'legacy_token', token: 'abc' }, bearer],
] as const)('the strategy for %s', (_, Strategy, credential, headers) => {
  let identity: Awaited<ReturnType<typeof identityFixture>>
  let strategy: InstanceType<typeof Strategy>
  const present = () => authenticate(identity.authenticator, credential, ASKED_FOR)

  beforeEach(async () => {
    identity = await identityFixture()
    strategy = new Strategy(identity.authenticator)
  })

  it('returns the caller of a right credential', async () => {
    await expect(present()).resolves.toBe(ACTIVE)
    expect(identity.asked).toEqual([{ credential, askedFor: ASKED_FOR }])
  })

  it('gives the package one header, and no query and no body, in which it would look for further tokens', async () => {
    const validate = jest.spyOn(strategy, 'validate')
    await present()
    const [request] = validate.mock.calls[0] ?? []
    expect(request?.headers).toEqual(headers)
    expect(request).not.toHaveProperty('query')
    expect(request).not.toHaveProperty('body')
  })

  it.each(REFUSALS)(
    'refuses a credential about which identity says %j with %s (%i)',
    async (answer, code, status) => {
      identity.answer = answer
      await expect(present()).rejects.toMatchObject({ code, status })
    },
  )

  it('fails with 503 and never 401 if identity cannot verify the credential', async () => {
    identity.answer = UNAVAILABLE
    await expect(present()).rejects.toMatchObject({ status: 503 })
  })

  it('passes on an unexpected error as it is, which is no refusal', async () => {
    identity.answer = new TypeError('a bug')
    await expect(present()).rejects.toBe(identity.answer)
  })
})
