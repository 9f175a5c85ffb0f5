import { randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import { resetSecondFactor } from '@bearing/contracts/identity/people/second-factor'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import {
  newMember,
  newOrganization,
  newUser,
  type TestOrganization,
  type TestUser,
} from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn, auditedOf, queryIdentity } from '../tools/audited.js'
import { Browser, enroll, signIn, withNewKey, type Authenticator } from '../tools/browser.js'
import { send, type Json, type Reply } from '../tools/http.js'

const gateways = () => testStack().gatewayUrls
const gateway = () => gateways()[0] ?? ''
const byPassword = ({ email, password }: TestUser) => ({ kind: 'user', email, secret: password }) as const
const meAt = (url: string, credential: TestUser['credential']) => send(url, 'GET', '/auth/me', { credential })

describe('a second factor', () => {
  let user: TestUser
  const post = (path: string, body: Json, { credential }: Pick<TestUser, 'credential'> = user) =>
    send(gateway(), 'POST', path, { credential, body })

  beforeEach(async () => {
    user = await newUser()
  })

  it('is asked for from when it was confirmed on, not when it was begun', async () => {
    expectProblem(await post('/auth/totp/confirm', { totp_code: '000000' }), 'second_factor_not_found')
    expectProblem(await post('/auth/totp', { password: 'not the password' }), 'password_incorrect')
    const begun = await post('/auth/totp', { password: user.password })
    expect(begun.json?.data).toMatchObject({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining(
        `otpauth://totp/Bearing%20(bearing.example.com):${encodeURIComponent(user.email)}?secret=`,
      ),
    })
    expect((await signIn(gateway(), user)).status).toBe(201)
    expectProblem(await post('/auth/totp/confirm', { totp_code: 'abcdef' }), 'invalid_input')

    const { recoveryCodes } = await enroll(gateway(), user)
    expect(new Set(recoveryCodes).size).toBe(10)
    expectProblem(await signIn(gateway(), user), 'second_factor_needed')
    expectProblem(await post('/auth/totp', { password: user.password }), 'second_factor_exists')
    const shown = await send(gateway(), 'GET', '/auth/totp', user)
    expect(shown.json?.data).toMatchObject({ confirmed_at: expect.any(String), recovery_codes_left: 10 })
    expect((await auditedOf(user)).map(({ action }) => action)).toContain('second_factor.enrolled')
  })

  it('that was begun with the old password cannot be confirmed after a new one was set', async () => {
    expect((await post('/auth/totp', { password: user.password })).status).toBe(201)
    const changed = { current_password: user.password, new_password: 'another four words nobody guesses' }
    expect((await post('/auth/password/change', changed)).status).toBe(200)
    const confirmed = await post('/auth/totp/confirm', { totp_code: '000000' })
    expect(confirmed.json).toMatchObject({ code: 'second_factor_not_found' })
  })

  it('is stored sealed, and recovery codes as hashes', async () => {
    const begun = await post('/auth/totp', { password: user.password })
    const { secret } = begun.json?.data as { secret: string }
    const { recoveryCodes } = await enroll(gateway(), user)
    const rows = [
      ...(await queryIdentity('SELECT * FROM totps WHERE user_id = $1', [user.id])),
      ...(await queryIdentity('SELECT * FROM recovery_codes WHERE user_id = $1', [user.id])),
    ]
    expect(rows).toHaveLength(11)
    const stored = JSON.stringify(rows)
    for (const shown of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(shown)
  })

  it('without a code the response does not reveal who has a second factor, until the password is right', async () => {
    await enroll(gateway(), user)
    const [other, nobody] = [await newUser(), { email: `${randomUUID()}@example.com` }]
    const replies = await Promise.all(
      [user, other, nobody].map(({ email }) => signIn(gateway(), { email, password: 'not the password' })),
    )
    const [first, ...rest] = replies.map(({ json }) => ({ ...json, request_id: '' }))
    for (const answer of rest) expect(answer).toEqual(first)
    expect(first).toMatchObject({ code: 'credential_invalid' })
  })

  it('a TOTP code works once, however many try concurrently', async () => {
    const { code } = await enroll(gateway(), user)
    const totp_code = code()
    const replies = await Promise.all(
      gateways().flatMap((url) => [signIn(url, user, { totp_code }), signIn(url, user, { totp_code })]),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201))
      expectProblem(reply, 'second_factor_invalid')
    const [session] = replies.filter(({ status }) => status === 201)
    expect(session?.json?.data).toMatchObject({ session: { methods: ['pwd', 'otp'] } })
    expect((await auditedOf(user)).map(({ action }) => action)).toContain('session.refused')
  })

  it('a recovery code works once however many try concurrently, and however it is typed', async () => {
    const { recoveryCodes } = await enroll(gateway(), user)
    const [recovery_code = '', typed = ''] = recoveryCodes
    const replies = await Promise.all(
      gateways().flatMap((url) => [
        signIn(url, user, { recovery_code }),
        signIn(url, user, { recovery_code }),
      ]),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const again = await signIn(gateway(), user, {
      recovery_code: ` ${typed.replaceAll('-', '').toUpperCase()}`,
    })
    expect(again.json?.data).toMatchObject({ session: { methods: ['pwd', 'recovery'] } })
    const shown = await send(gateway(), 'GET', '/auth/totp', user)
    expect(shown.json?.data).toMatchObject({ recovery_codes_left: 8 })
  })

  it('a recovery code of somebody else is of no use', async () => {
    await enroll(gateway(), user)
    const { recoveryCodes } = await enroll(gateway(), await newUser())
    expectProblem(
      await signIn(gateway(), user, { recovery_code: recoveryCodes[0] ?? '' }),
      'second_factor_invalid',
    )
  })

  it('many wrong codes make everybody wait, and nobody permanently', async () => {
    const phone = await enroll(gateway(), user)
    const wrong = () => signIn(gateway(), user, { totp_code: phone.wrong() })
    for (let i = 0; i < 5; i++) expectProblem(await wrong(), 'second_factor_invalid')
    const blocked = await signIn(gateway(), user, { totp_code: phone.code() })
    expectProblem(blocked, 'rate_limited')
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await meAt(gateway(), user.credential)).status).toBe(200)
    await queryIdentity(`UPDATE totps SET blocked_until = now() - interval '1 second' WHERE user_id = $1`, [
      user.id,
    ])
    expect((await signIn(gateway(), user, { totp_code: phone.code() })).status).toBe(201)
  })

  it('a user who has one cannot use the bare password, at any gateway; the API key keeps working', async () => {
    for (const url of gateways()) expect((await meAt(url, byPassword(user))).status).toBe(200)
    await enroll(gateway(), user)
    await eventually(async () => {
      for (const url of gateways()) expectProblem(await meAt(url, byPassword(user)), 'second_factor_required')
    })
    for (const url of gateways()) {
      expect((await meAt(url, user.credential)).json?.data).toMatchObject({ second_factor: true })
      expectProblem(
        await meAt(url, { ...byPassword(user), secret: 'not the password' }),
        'credential_invalid',
      )
    }
  })

  it('ends all other sessions when it is turned on: they were begun without it', async () => {
    const other = await Browser.signIn(gateway(), user)
    const own = await Browser.signIn(gateway(), user)
    const { headers } = other
    expect((await send(gateway(), 'GET', '/auth/me', { headers })).status).toBe(200)
    await enroll(gateway(), user, (method, path, body) => own.send(gateway(), method, path, { body }))
    await eventually(async () => {
      for (const url of gateways())
        expectProblem(await send(url, 'GET', '/auth/me', { headers }), 'credential_invalid')
    })
    const still = await own.send(gateway(), 'GET', '/auth/me')
    expect(still.json?.data).toMatchObject({ methods: ['pwd', 'otp'], second_factor: true })
  })

  it('a session that only the password has begun is refused, whenever it was', async () => {
    await enroll(gateway(), user)
    await queryIdentity('UPDATE totps SET confirmed_at = NULL WHERE user_id = $1', [user.id])
    const browser = await Browser.signIn(gateway(), user)
    await queryIdentity('UPDATE totps SET confirmed_at = now() WHERE user_id = $1', [user.id])
    expectProblem(await browser.send(gateway(), 'GET', '/auth/me'), 'credential_invalid')
  })

  it('is turned off with a code or recovery code, and then the password is enough again', async () => {
    const { code, wrong, recoveryCodes } = await enroll(gateway(), user)
    expectProblem(await post('/auth/totp/remove', {}), 'invalid_input')
    expectProblem(await post('/auth/totp/remove', { totp_code: wrong() }), 'second_factor_invalid')
    expect((await post('/auth/totp/remove', { recovery_code: recoveryCodes[9] ?? '' })).status).toBe(200)
    expectProblem(await post('/auth/totp/remove', { totp_code: code() }), 'second_factor_not_found')
    expect((await signIn(gateway(), user)).status).toBe(201)
    await eventually(async () => {
      for (const url of gateways()) expect((await meAt(url, byPassword(user))).status).toBe(200)
    })
    expect((await auditedOf(user)).map(({ action }) => action)).toContain('second_factor.removed')
  })

  it('new recovery codes take the place of those before', async () => {
    const { code, recoveryCodes } = await enroll(gateway(), user)
    const renewed = await post('/auth/totp/recovery_codes', { totp_code: code() })
    const { recovery_codes } = renewed.json?.data as { recovery_codes: string[] }
    expect(recovery_codes).toHaveLength(10)
    expectProblem(
      await signIn(gateway(), user, { recovery_code: recoveryCodes[0] ?? '' }),
      'second_factor_invalid',
    )
    expect((await signIn(gateway(), user, { recovery_code: recovery_codes[0] ?? '' })).status).toBe(201)
  })

  it('is removed by an operator from who has lost everything, and all sessions end', async () => {
    const { code } = await enroll(gateway(), user)
    const browser = await Browser.signIn(gateway(), user, { totp_code: code() })
    const { email } = user
    await callAsOperator(resetSecondFactor, { email })
    await eventually(async () => {
      for (const url of gateways())
        expectProblem(await send(url, 'GET', '/auth/me', { headers: browser.headers }), 'credential_invalid')
    })
    expect((await signIn(gateway(), user)).status).toBe(201)
    expect((await auditedOf(user)).map(({ action }) => action)).toContain('second_factor.reset')
    await expect(callAsOperator(resetSecondFactor, { email })).rejects.toMatchObject({
      code: 'second_factor_not_found',
    })
  })
})

describe('an organization that requires a second factor', () => {
  let own: TestOrganization
  let member: TestUser
  let phone: Authenticator
  const path = () => `/api/v0/organizations/${own.slug}/sign_in_policy`
  const setRule = (second_factor_required: boolean, { credential }: TestUser = own.admin) =>
    send(gateway(), 'PUT', path(), { credential, body: { second_factor_required } })
  const projects = (url: string, slug: string, credential: TestUser['credential']) =>
    send(url, 'GET', `/api/v0/organizations/${slug}/projects`, { credential })

  beforeEach(async () => {
    own = await newOrganization()
    member = await newMember(own, 'member')
    phone = await enroll(gateway(), own.admin)
    own = { ...own, admin: await withNewKey(gateway(), own.admin, phone) }
  })

  it('refuses members without one at every gateway, whatever they come with; other organizations do not', async () => {
    const other = await newOrganization()
    const theirs = other.admin
    const key = theirs.credential
    await callAsOperator(grantMembership, { organization_id: own.id, user_id: theirs.id, role: 'admin' })
    const browser = await Browser.signIn(gateway(), member)
    for (const url of gateways()) {
      expect((await projects(url, own.slug, member.credential)).status).toBe(200)
      expect((await browser.send(url, 'GET', `/api/v0/organizations/${own.slug}/projects`)).status).toBe(200)
      expect((await projects(url, other.slug, key)).status).toBe(200)
    }
    expect((await setRule(true)).json).toEqual({
      data: {
        sso_required: false,
        second_factor_required: true,
        second_factor_kind: 'any',
        device_logins: 'on',
      },
    })
    await eventually(async () => {
      for (const url of gateways()) {
        expectProblem(await projects(url, own.slug, member.credential), 'second_factor_required')
        expectProblem(await projects(url, own.slug, byPassword(member)), 'second_factor_required')
        expectProblem(
          await browser.send(url, 'GET', `/api/v0/organizations/${own.slug}/projects`),
          'second_factor_required',
        )
        expectProblem(await projects(url, own.slug, key), 'second_factor_required')
        expect((await projects(url, other.slug, key)).status).toBe(200)
        expect((await projects(url, own.slug, own.admin.credential)).status).toBe(200)
        expect((await projects(url, own.slug, own.token.credential)).status).toBe(200)
      }
    })
    const signedIn = await Browser.signIn(gateway(), own.admin, { totp_code: phone.code() })
    expect((await signedIn.send(gateway(), 'GET', path())).status).toBe(200)
    expect(await auditedIn('identity', own)).toContainEqual(
      expect.objectContaining({ action: 'sign_in_policy.changed', actor_user_id: own.admin.id }),
    )
  })

  it('lets members in again once they have one, or it does not require it any more', async () => {
    await setRule(true)
    await eventually(async () => {
      expectProblem(await projects(gateway(), own.slug, member.credential), 'second_factor_required')
    })
    const { credential } = await withNewKey(gateway(), member, await enroll(gateway(), member))
    await eventually(async () => {
      for (const url of gateways()) expect((await projects(url, own.slug, credential)).status).toBe(200)
    })
    const late = await newMember(own, 'member')
    expectProblem(await projects(gateway(), own.slug, late.credential), 'second_factor_required')
    expect((await setRule(false)).status).toBe(200)
    await eventually(async () => {
      for (const url of gateways()) expect((await projects(url, own.slug, late.credential)).status).toBe(200)
    })
  })

  it('cannot be made so by an admin who has none: they would lock themselves out', async () => {
    const second = await newMember(own, 'admin')
    expectProblem(await setRule(true, second), 'second_factor_required')
    expect((await setRule(false, second)).status).toBe(200)
    expect((await projects(gateway(), own.slug, second.credential)).status).toBe(200)
    const shown = await send(gateway(), 'GET', path(), own.admin)
    expect(shown.json).toEqual({
      data: {
        sso_required: false,
        second_factor_required: false,
        second_factor_kind: 'any',
        device_logins: 'on',
      },
    })
  })
})

function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply.json).toMatchObject({ code })
  expect(reply.status).toBe(ERRORS[code].status)
}
