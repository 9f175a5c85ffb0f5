import { OperationError } from '@bearing/contracts/errors'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import passport from 'passport'
import { ACTIVE, ASKED_FOR, identityFixture } from '../testing/identity-fixture.js'
import { authenticate } from './authenticate.js'
import { BearerStrategy } from './strategies/bearer-strategy.js'
import { ProjectKeyStrategy } from './strategies/project-key-strategy.js'

const TOKEN = { kind: 'organization_token', token: 'token' } as const

describe('authentication', () => {
  let identity: Awaited<ReturnType<typeof identityFixture>>

  beforeEach(async () => {
    identity = await identityFixture()
    new BearerStrategy(identity.authenticator)
    new ProjectKeyStrategy(identity.authenticator)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it('runs Passport for a credential that is not cached, and no Passport code once it is', async () => {
    const run = jest.spyOn(passport, 'authenticate')
    for (let times = 0; times < 3; times++)
      await expect(authenticate(identity.authenticator, TOKEN, ASKED_FOR)).resolves.toBe(ACTIVE)
    expect(run).toHaveBeenCalledTimes(1)
    expect(identity.asked).toHaveLength(1)
  })

  it('asks the strategy of the credential alone', async () => {
    const run = jest.spyOn(passport, 'authenticate')
    await authenticate(identity.authenticator, TOKEN, ASKED_FOR)
    expect(run.mock.calls.map(([name]) => name)).toEqual(['bearer'])
  })

  it('refuses a wrong token beside a right project key even where Passport is given both strategies', async () => {
    identity.answers = { organization_token: { active: false, reason: 'unknown' }, project_key: ACTIVE }
    const headers = { authorization: 'Bearer token', 'project-key': 'key' }
    const outcome = await new Promise((resolve) => {
      const done = (error: unknown, caller?: unknown) => {
        resolve(error ?? caller)
      }
      const both = passport.authenticate(['bearer', 'project_key'], { session: false }, done) as (
        ...passedOn: readonly unknown[]
      ) => void
      both({ kind: TOKEN.kind, headers, askedFor: ASKED_FOR }, {}, done)
    })
    expect(outcome).toMatchObject({ code: 'credential_invalid' })
  })

  it('does not take a header that a package cannot read for a wrong credential', async () => {
    const unreadable = authenticate(identity.authenticator, { ...TOKEN, token: '' }, ASKED_FOR)
    await expect(unreadable).rejects.toThrow('found no credential')
    await expect(unreadable).rejects.not.toBeInstanceOf(OperationError)
  })
})
