import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import type { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import type { ErrorCode } from '@bearing/contracts/errors'
import { RECOVERY_CODE_COUNT } from '@bearing/contracts/identity/people/second-factor'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import {
  clientFor,
  newOrganization,
  newProject,
  newToken,
  newUser,
  type TestOrganization,
  type TestUser,
} from '@bearing/testing/factories'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { testStack } from '@bearing/testing/stack'
import { SoftwarePasskey } from '@bearing/testing/software-passkey'
import { totp } from '../tools/authenticator.js'
import { Browser } from '../tools/browser.js'

const NAMES = Object.keys(ROUTES) as RouteName[] // its own keys

/** Routes that devices call name what they send by the key. All others show a secret once (operations.spec.ts of contracts). */
const SHOWING_SECRETS = NAMES.filter((name) => ROUTES[name].idempotencyKey && !ROUTES[name].device)

/** A caller, and what it sends. */
interface Prepared {
  readonly client: BearingClient
  readonly input: object
  /** Another input, and its refusal (default: `idempotency_conflict`). */
  readonly other: object
  readonly refusal?: ErrorCode
  /** Returns how often the call was made. */
  readonly count?: () => Promise<number>
}

const setsOfCodes = async ({ client }: TestUser) =>
  (await client.call('showTotp', {})).recovery_codes_left / RECOVERY_CODE_COUNT

const newTokens = async ({ slug: organization, admin }: TestOrganization) =>
  (await admin.client.call('listOrganizationTokens', { organization })).data.length - 1

/** Begins to set up an authenticator. Returns the code that confirms it. */
async function enrolled({ client, password }: TestUser): Promise<string> {
  const { secret } = await client.call('enrollTotp', { password })
  return totp(secret, Date.now())
}

const CASES: Readonly<Record<string, (own: TestOrganization) => Promise<Prepared>>> = {
  cycleUserKey: async () => {
    const { email, password } = await newUser()
    // The API key itself ends with the first call.
    const client = clientFor({ kind: 'user', email, secret: password })
    return { client, input: {}, other: { expires_at: '2999-01-01T00:00:00Z' } }
  },
  enrollTotp: async () => {
    const { client, password } = await newUser()
    return { client, input: { password }, other: { password: 'another' }, refusal: 'password_incorrect' }
  },
  confirmTotp: async () => {
    const user = await newUser()
    const input = { totp_code: await enrolled(user) }
    return { client: user.client, input, other: { totp_code: '000000' }, count: () => setsOfCodes(user) }
  },
  addPasskey: async () => {
    // Neither the API key nor, from then on, the password alone.
    const { token } = await Browser.signIn(testStack().gatewayUrls[0] ?? '', await newUser())
    const client = clientFor({ kind: 'organization_token', token })
    const { challenge } = await client.call('challengePasskey', {})
    const input = { name: 'Phone', ...new SoftwarePasskey().create(challenge) }
    return { client, input, other: { ...input, name: 'Laptop' } }
  },
  renewRecoveryCodes: async () => {
    const user = await newUser()
    const totp_code = await enrolled(user)
    const { recovery_codes } = await user.client.call('confirmTotp', { totp_code })
    const [recovery_code = '', another = ''] = recovery_codes
    const [input, other] = [{ recovery_code }, { recovery_code: another }]
    return { client: user.client, input, other, count: () => setsOfCodes(user) }
  },
  createOrganizationToken: async () => {
    const own = await newOrganization()
    const input = { organization: own.slug, description: 'CI' }
    const other = { ...input, expires_at: '2999-01-01T00:00:00Z' }
    return { client: own.admin.client, input, other, count: () => newTokens(own) }
  },
  deriveOrganizationToken: async () => {
    const { slug: organization, admin } = await newOrganization()
    const { id: derived_from, token } = await admin.client.call('createOrganizationToken', {
      ...{ organization, description: 'parent' },
      permissions: ['organization-token:derive', 'device:read'],
    })
    const client = clientFor({ kind: 'organization_token', token })
    const input = { organization, description: 'step' }
    return {
      ...{ client, input, other: { ...input, expires_in: 60 } },
      count: async () =>
        (await admin.client.call('listOrganizationTokens', { organization, derived_from })).data.length,
    }
  },
  rotateOrganizationToken: async () => {
    const own = await newOrganization()
    const input = { organization: own.slug, organization_token_id: own.token.id }
    return {
      ...{ client: own.admin.client, input, other: { ...input, grace_seconds: 0 } },
      count: () => newTokens(own),
    }
  },
  createOnboardingToken: async (own) => {
    const { client } = await newToken(own)
    const project = await newProject(own)
    const at = { organization: own.slug, project: project.slug }
    const input = { ...at, name: 'Line 3', expires_at: new Date(Date.now() + DAY_MS).toISOString() }
    const count = async () => (await client.call('listOnboardingTokens', at)).data.length
    return { client, input, other: { ...input, name: 'Line 4' }, count }
  },
  createWebhook: async (own) => {
    const { client } = await newToken(own)
    const project = await newProject(own)
    const at = { organization: own.slug, project: project.slug }
    const input = { ...at, url: 'https://example.com/hook' }
    const count = async () => (await client.call('listWebhooks', at)).data.length
    return { client, input, other: { ...input, events: ['device.first_seen'] }, count }
  },
  rotateWebhook: async (own) => {
    const at = { organization: own.slug, project: own.project.slug }
    const { client } = await newToken(own)
    const { id: webhook_id } = await client.call('createWebhook', { ...at, url: 'https://example.com/hook' })
    const input = { ...at, webhook_id }
    return { client, input, other: { ...input, grace_seconds: 0 } }
  },
}

it('every route that shows a secret once is tested here', () => {
  expect(Object.keys(CASES).sort()).toEqual([...SHOWING_SECRETS].sort())
})

describe.each(SHOWING_SECRETS)('%s with an Idempotency-Key', (name) => {
  const idempotencyKey = randomUUID()
  let one: Prepared
  let another: Prepared
  let reply: unknown
  const call = ({ client, input }: Prepared, changed = input) =>
    client.call(name, changed, { idempotencyKey })

  beforeAll(async () => {
    const own = await newOrganization()
    const prepare = CASES[name]
    if (!prepare) throw new Error(`no case for ${name}`)
    one = await prepare(own)
    another = await prepare(own)
    reply = await call(one)
  })

  it('has the same reply again, with its secret, also for two calls at the same moment', async () => {
    expect(await Promise.all([call(one), call(one)])).toEqual([reply, reply])
    const replies = await Promise.all([call(another), call(another)])
    expect(replies[0]).toEqual(replies[1])
  })

  it('is another call for another caller', async () => {
    expect(await call(another)).not.toEqual(reply)
  })

  it('is refused with another input', async () => {
    const refused: unknown = await call(one, one.other).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ProblemError)
    expect(refused).toMatchObject({ code: one.refusal ?? 'idempotency_conflict' })
  })

  it('is made once', async () => {
    for (const { count } of [one, another]) expect(await count?.()).toBe(count && 1)
  })
})
