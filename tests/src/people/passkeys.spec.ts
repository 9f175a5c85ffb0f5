import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import { resetSecondFactor } from '@bearing/contracts/identity/people/second-factor'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newUser, type TestUser } from '@bearing/testing/factories'
import { SoftwarePasskey, type Differences } from '@bearing/testing/software-passkey'
import { testStack } from '@bearing/testing/stack'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { auditedOf, queryIdentity } from '../tools/audited.js'
import { Browser, challengeOf, enroll, signIn } from '../tools/browser.js'
import { send, type Json, type Reply } from '../tools/http.js'

const gateways = () => testStack().gatewayUrls
const gateway = () => gateways()[0] ?? ''
const start = (body: Json, url = gateway()) => send(url, 'POST', '/auth/session', { body })
const assertOf = async (passkey: SoftwarePasskey, differences: Differences = {}) =>
  passkey.assert((await challengeOf(gateway())).challenge, differences)
const startWith = async (passkey: SoftwarePasskey, differences: Differences = {}) =>
  start({ passkey: await assertOf(passkey, differences) })
const rowsOf = ({ id }: TestUser) => queryIdentity('SELECT * FROM passkeys WHERE user_id = $1', [id])
const actionsOf = async (user: TestUser) => (await auditedOf(user)).map(({ action }) => action)

describe('a passkey', () => {
  let user: TestUser
  let passkey: SoftwarePasskey
  let browser: Browser

  beforeEach(async () => {
    user = await newUser()
    passkey = new SoftwarePasskey()
    browser = await Browser.signIn(gateway(), user)
  })

  it('signs in without address and password, as both factors, and is then asked for beside the password', async () => {
    const other = await Browser.signIn(gateway(), user)
    const added = await browser.addPasskey(gateway(), passkey)
    expect(added.status).toBe(201)
    const { recovery_codes, ...shown } = added.json?.data as { recovery_codes: string[] } & Json
    expect(recovery_codes).toHaveLength(10)
    expect((await other.send(gateway(), 'GET', '/auth/me')).status).toBe(401)
    expect((await browser.send(gateway(), 'GET', '/auth/me')).status).toBe(200)

    const session = await Browser.signInByPasskey(gateway(), passkey)
    expect(session.reply.json?.data).toMatchObject({ email: user.email, session: { methods: ['passkey'] } })
    const listed = await session.send(gateway(), 'GET', '/auth/passkeys')
    expect(listed.json?.data).toEqual([{ ...shown, last_used_at: expect.any(String) }])

    expectProblem(await signIn(gateway(), user), 'second_factor_needed')
    const second = await start({
      email: user.email,
      password: user.password,
      passkey: await assertOf(passkey),
    })
    expect(second.json?.data).toMatchObject({ session: { methods: ['pwd', 'passkey'] } })
    const recovered = await signIn(gateway(), user, { recovery_code: recovery_codes[0] ?? '' })
    expect(recovered.json?.data).toMatchObject({ session: { methods: ['pwd', 'recovery'] } })
    expect(await actionsOf(user)).toContain('passkey.added')
  })

  it('is neither added, renamed nor removed by an API key', async () => {
    const { challenge } = await challengeOf(gateway())
    const withKey = { credential: user.credential }
    const body = { name: 'Key', ...passkey.create(challenge) }
    expectProblem(
      await send(gateway(), 'POST', '/auth/passkeys', { ...withKey, body }),
      'recent_sign_in_required',
    )
    const added = await browser.addPasskey(gateway(), new SoftwarePasskey())
    const { id } = added.json?.data as { id: string }
    const path = `/auth/passkeys/${id}`
    const before = await rowsOf(user)
    const renamed = await send(gateway(), 'PATCH', path, { ...withKey, body: { name: 'Other' } })
    expectProblem(renamed, 'recent_sign_in_required')
    expectProblem(await send(gateway(), 'DELETE', path, withKey), 'recent_sign_in_required')
    expect(await rowsOf(user)).toEqual(before)
    expect(before).toHaveLength(1)
  })

  it('is renamed by its user and by no other', async () => {
    const added = await browser.addPasskey(gateway(), passkey)
    const path = `/auth/passkeys/${(added.json?.data as { id: string }).id}`
    const renamed = await browser.send(gateway(), 'PATCH', path, { body: { name: 'Blue key' } })
    expect(renamed.json?.data).toMatchObject({ name: 'Blue key' })
    const other = await Browser.signIn(gateway(), await newUser())
    const foreign = await other.send(gateway(), 'PATCH', path, { body: { name: 'Mine' } })
    expectProblem(foreign, 'second_factor_not_found')
    expect(await rowsOf(user)).toMatchObject([{ name: 'Blue key' }])
    expect(await actionsOf(user)).toContain('passkey.renamed')
  })

  it('is one of several, keeps the authenticator, and the recovery codes end with the last factor', async () => {
    const { recoveryCodes } = await enroll(gateway(), user, (method, path, body) =>
      browser.send(gateway(), method, path, { body }),
    )
    const [first, second] = [new SoftwarePasskey(), passkey]
    const added = await browser.addPasskey(gateway(), first)
    expect(added.json?.data).toMatchObject({ recovery_codes: [] })
    expect((await browser.addPasskey(gateway(), second)).status).toBe(201)
    expectProblem(await browser.addPasskey(gateway(), second), 'second_factor_exists')
    const removed = { body: { recovery_code: recoveryCodes[0] ?? '' } }
    expect((await browser.send(gateway(), 'POST', '/auth/totp/remove', removed)).status).toBe(200)
    for (const left of [9, 0]) {
      const shown = await browser.send(gateway(), 'GET', '/auth/totp')
      expect(shown.json?.data).toEqual({ confirmed_at: null, recovery_codes_left: 9 })
      const { data } = (await browser.send(gateway(), 'GET', '/auth/passkeys')).json as {
        data: { id: string }[]
      }
      const path = `/auth/passkeys/${data[0]?.id ?? ''}`
      expect((await browser.send(gateway(), 'DELETE', path)).status).toBe(200)
      expectProblem(await browser.send(gateway(), 'DELETE', path), 'second_factor_not_found')
      expect(await queryIdentity('SELECT 1 FROM recovery_codes WHERE user_id = $1', [user.id])).toHaveLength(
        left,
      )
    }
    expectProblem(await startWith(first), 'credential_invalid')
    expect((await signIn(gateway(), user)).status).toBe(201)
  })

  it.each<[string, Differences]>([
    ['another origin', { origin: 'https://bearing.example.com.evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an authenticator that has not verified its user', { verified: false }],
  ])('from %s is refused, when it is added and when it signs in', async (_, differences) => {
    expectProblem(await browser.addPasskey(gateway(), passkey, differences), 'second_factor_invalid')
    expect((await browser.addPasskey(gateway(), passkey)).status).toBe(201)
    expectProblem(await startWith(passkey, differences), 'credential_invalid')
    const confirmed = { body: { passkey: await assertOf(passkey, differences) } }
    expectProblem(
      await browser.send(gateway(), 'POST', '/auth/session/confirm', confirmed),
      'second_factor_invalid',
    )
    expect((await startWith(passkey)).status).toBe(201)
  })

  it('signs each challenge once, however many gateways receive the reply concurrently', async () => {
    await browser.addPasskey(gateway(), passkey)
    const assertion = await assertOf(passkey)
    const replies = await Promise.all(
      gateways().flatMap((url) => [start({ passkey: assertion }, url), start({ passkey: assertion }, url)]),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201))
      expectProblem(reply, 'credential_invalid')
  })

  it('with a challenge of somebody else, an older one, or a forged signature is refused like an unknown one', async () => {
    await browser.addPasskey(gateway(), passkey)
    const older = await challengeOf(gateway())
    expect((await startWith(passkey)).status).toBe(201)
    const assertion = await assertOf(passkey)
    const { challenge } = await challengeOf(gateway())
    const bodies = [
      passkey.assert(older.challenge),
      passkey.assert(Buffer.alloc(44).toString('base64url')),
      passkey.assert(`${challenge.slice(0, 20)}AAAA${challenge.slice(24)}`),
      { ...assertion, signature: (await assertOf(new SoftwarePasskey())).signature },
      await assertOf(new SoftwarePasskey()),
    ]
    const problems = await Promise.all(bodies.map((passkey) => start({ passkey })))
    const [first, ...others] = problems.map(({ json }) => ({ ...json, request_id: '' }))
    expect(first).toMatchObject({ code: 'credential_invalid' })
    for (const other of others) expect(other).toEqual(first)
    expectProblem(await start({ passkey: assertion, email: user.email }), 'invalid_input')
    expectProblem(await start({}), 'invalid_input')
  })

  it('whose counter went back is refused, with an audit event', async () => {
    await browser.addPasskey(gateway(), passkey)
    expect((await startWith(passkey)).status).toBe(201)
    passkey.counter = 0
    expectProblem(await startWith(passkey), 'credential_invalid')
    expect(await actionsOf(user)).toContain('passkey.refused')
    passkey.counter = 7
    expect((await startWith(passkey)).status).toBe(201)
  })

  it('of another account proves nothing beside the password', async () => {
    const [theirs, other] = [new SoftwarePasskey(), await newUser()]
    const they = await Browser.signIn(gateway(), other)
    await they.addPasskey(gateway(), theirs)
    await browser.addPasskey(gateway(), passkey)
    const { email, password } = user
    expectProblem(await start({ email, password, passkey: await assertOf(theirs) }), 'second_factor_invalid')
    expectProblem(await they.addPasskey(gateway(), passkey), 'second_factor_exists')
    const [row] = await rowsOf(user)
    const path = `/auth/passkeys/${String(row?.['id'])}`
    expectProblem(await they.send(gateway(), 'DELETE', path), 'second_factor_not_found')
  })

  it('ends with its account, and with a reset of the second factor, which ends the sessions too', async () => {
    await browser.addPasskey(gateway(), passkey)
    await callAsOperator(resetSecondFactor, { email: user.email })
    expectProblem(await startWith(passkey), 'credential_invalid')
    expect((await browser.send(gateway(), 'GET', '/auth/me')).status).toBe(401)
    const again = await Browser.signIn(gateway(), user)
    await again.addPasskey(gateway(), passkey)
    expect((await again.send(gateway(), 'POST', '/auth/me/delete', { body: {} })).status).toBe(200)
    expectProblem(await startWith(passkey), 'credential_invalid')
    expect(await rowsOf(user)).toEqual([])
  })

  it('is added and removed only in a session that was proven recently, which it can prove', async () => {
    const byKey = {
      credential: user.credential,
      body: { name: 'x', ...passkey.create((await challengeOf(gateway())).challenge) },
    }
    expectProblem(await send(gateway(), 'POST', '/auth/passkeys', byKey), 'recent_sign_in_required')
    await browser.addPasskey(gateway(), passkey)
    // A key and the password must not replace it by an authenticator.
    const totp = { credential: user.credential, body: { password: user.password } }
    expectProblem(await send(gateway(), 'POST', '/auth/totp', totp), 'recent_sign_in_required')
    const age = () =>
      queryIdentity(
        "UPDATE sessions SET created_at = created_at - interval '1 hour', confirmed_at = NULL WHERE id = $1",
        [browser.sessionId],
      )
    await age()
    const [row] = await rowsOf(user)
    const path = `/auth/passkeys/${String(row?.['id'])}`
    expectProblem(await browser.send(gateway(), 'DELETE', path), 'recent_sign_in_required')
    expectProblem(await browser.addPasskey(gateway(), new SoftwarePasskey()), 'recent_sign_in_required')
    const confirm = { body: { passkey: await assertOf(passkey) } }
    expect((await browser.send(gateway(), 'POST', '/auth/session/confirm', confirm)).status).toBe(200)
    expect((await browser.send(gateway(), 'DELETE', path)).status).toBe(200)
    expect(await actionsOf(user)).toContain('passkey.removed')
  })

  it('signs in a command line, whose session has proven it too', async () => {
    await browser.addPasskey(gateway(), passkey)
    const signedIn = await Browser.signInByPasskey(gateway(), passkey)
    const asked = await send(gateway(), 'POST', '/auth/login', { body: { host: 'ann-laptop' } })
    const { device_code, user_code } = asked.json?.data as { device_code: string; user_code: string }
    const allowed = await signedIn.send(gateway(), 'POST', '/auth/login/allow', { body: { user_code } })
    expect(allowed.status).toBe(200)
    const token = await send(gateway(), 'POST', '/auth/login/token', { body: { device_code } })
    expect(token.json?.data).toMatchObject({ session: { methods: ['passkey'], host: 'ann-laptop' } })
  })
})

describe('an organization that requires a phishing-resistant second factor', () => {
  it('accepts sessions with a passkey alone, at every gateway', async () => {
    const own = await newOrganization()
    const path = `/api/v0/organizations/${own.slug}`
    const admin = await Browser.signIn(gateway(), own.admin)
    const rule = { body: { second_factor_required: true, second_factor_kind: 'phishing-resistant' } }
    expectProblem(
      await admin.send(gateway(), 'PUT', `${path}/sign_in_policy`, rule),
      'second_factor_required',
    )
    const passkey = new SoftwarePasskey()
    await admin.addPasskey(gateway(), passkey)
    expect((await admin.send(gateway(), 'PUT', `${path}/sign_in_policy`, rule)).json?.data).toMatchObject(
      rule.body,
    )

    const member = await newMember(own, 'member')
    const phone = await enroll(gateway(), member)
    const byCode = await Browser.signIn(gateway(), member, { totp_code: phone.code() })
    const key = await byCode.send(gateway(), 'POST', '/auth/api_key', { body: {} })
    const { api_key: secret } = key.json?.data as { api_key: string }
    const withKey = { credential: { kind: 'user', email: member.email, secret } as const }
    await eventually(async () => {
      for (const url of gateways()) {
        expectProblem(await byCode.send(url, 'GET', `${path}/projects`), 'second_factor_required')
        expectProblem(await send(url, 'GET', `${path}/projects`, withKey), 'second_factor_required')
        expect((await admin.send(url, 'GET', `${path}/projects`)).status).toBe(200)
        expect((await send(url, 'GET', `${path}/projects`, own.token)).status).toBe(200)
      }
    })
    const theirs = new SoftwarePasskey()
    expect((await byCode.addPasskey(gateway(), theirs)).status).toBe(201)
    const byPasskey = await Browser.signInByPasskey(gateway(), theirs)
    expect((await byPasskey.send(gateway(), 'GET', `${path}/projects`)).status).toBe(200)
  })

  it('that requires single sign-on too refuses a session with a passkey', async () => {
    const own = await newOrganization()
    const member = await newMember(own, 'member')
    const passkey = new SoftwarePasskey()
    await (await Browser.signIn(gateway(), member)).addPasskey(gateway(), passkey)
    await queryIdentity(
      'INSERT INTO organization_rules (organization_id, sso_required) VALUES ($1, true) ON CONFLICT (organization_id) DO UPDATE SET sso_required = true',
      [own.id],
    )
    const session = await Browser.signInByPasskey(gateway(), passkey)
    expectProblem(
      await session.send(gateway(), 'GET', `/api/v0/organizations/${own.slug}/projects`),
      'sso_required',
    )
  })
})

function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply.json).toMatchObject({ code })
  expect(reply.status).toBe(ERRORS[code].status)
}
