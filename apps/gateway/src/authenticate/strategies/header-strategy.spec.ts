import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import { ACTIVE, ASKED_FOR, UNAVAILABLE, REFUSALS, identityFixture } from '../../testing/identity-fixture.js'
import { authenticate } from '../authenticate.js'
import { ProjectKeyStrategy } from './project-key-strategy.js'
import { SessionStrategy } from './session-strategy.js'

describe.each([
  ['project keys', ProjectKeyStrategy, { kind: 'project_key', key: 'abc' }, { 'project-key': 'abc' }],
  ['sessions', SessionStrategy, { kind: 'session', token: 'abc' }, { cookie: '__Host-bearing_session=abc' }],
] as const)('the strategy for %s', (_, KeyOrSession, credential, headers) => {
  let identity: Awaited<ReturnType<typeof identityFixture>>
  let strategy: ProjectKeyStrategy | SessionStrategy
  const present = () => authenticate(identity.authenticator, credential, ASKED_FOR)

  beforeEach(async () => {
    identity = await identityFixture()
    strategy = new KeyOrSession(identity.authenticator)
  })

  it('returns the caller of a right credential, extracted from its one header', async () => {
    const validate = jest.spyOn(strategy, 'validate')
    await expect(present()).resolves.toBe(ACTIVE)
    expect(identity.asked).toEqual([{ credential, askedFor: ASKED_FOR }])
    expect(validate.mock.calls[0]?.[0].headers).toEqual(headers)
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
