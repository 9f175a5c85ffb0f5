import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newUser, type TestUser } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { auditedOf, queryIdentity } from '../tools/audited.js'
import { Browser, enroll, withNewKey } from '../tools/browser.js'
import { send, type Json, type Reply } from '../tools/http.js'

const gateways = () => testStack().gatewayUrls
const gateway = () => gateways()[0] ?? ''
const meAt = (url: string, credential: TestUser['credential']) => send(url, 'GET', '/auth/me', { credential })

describe('an API key', () => {
  let user: TestUser
  const create = (body: Json = {}, credential = user.credential) =>
    send(gateway(), 'POST', '/auth/api_key', { credential, body })

  beforeEach(async () => {
    user = await newUser()
  })

  it('that was created before the second factor does not satisfy an organization that requires one, at any gateway, and works elsewhere', async () => {
    const own = await newOrganization()
    const other = await newOrganization()
    const phone = await enroll(gateway(), own.admin)
    const admin = await withNewKey(gateway(), own.admin, phone)
    const member = await newMember(own, 'member')
    const memberPhone = await enroll(gateway(), member)
    const put = { credential: admin.credential, body: { second_factor_required: true } }
    expect(
      (await send(gateway(), 'PUT', `/api/v0/organizations/${own.slug}/sign_in_policy`, put)).status,
    ).toBe(200)
    const projects = (url: string, slug: string, credential: TestUser['credential']) =>
      send(url, 'GET', `/api/v0/organizations/${slug}/projects`, { credential })
    await eventually(async () => {
      for (const url of gateways()) {
        const refused = await projects(url, own.slug, member.credential)
        expectProblem(refused, 'second_factor_required')
        expect(refused.json).toMatchObject({ detail: expect.stringContaining('create the API key again') })
        expect((await projects(url, own.slug, admin.credential)).status).toBe(200)
        expect((await projects(url, other.slug, other.admin.credential)).status).toBe(200)
        expect((await meAt(url, member.credential)).json?.data).toMatchObject({ key_second_factor: false })
      }
    })
    const { credential } = await withNewKey(gateway(), member, memberPhone)
    for (const url of gateways()) expect((await projects(url, own.slug, credential)).status).toBe(200)

    // Another factor: the key was created with one that somebody may have set up who is gone.
    const removed = { credential, body: { recovery_code: memberPhone.recoveryCodes[0] ?? '' } }
    expect((await send(gateway(), 'POST', '/auth/totp/remove', removed)).status).toBe(200)
    await enroll(gateway(), member)
    await eventually(async () => {
      for (const url of gateways())
        expectProblem(await projects(url, own.slug, credential), 'second_factor_required')
    })
  })

  it('of a user with a second factor cannot be replaced automatically, in a session of more than ten minutes ago or with a wrong proof, and stays', async () => {
    const phone = await enroll(gateway(), user)
    expectProblem(await create(), 'recent_sign_in_required')
    const browser = await Browser.signIn(gateway(), user, { totp_code: phone.code() })
    await queryIdentity(`UPDATE sessions SET created_at = now() - interval '11 minutes' WHERE id = $1`, [
      browser.sessionId,
    ])
    expectProblem(
      await browser.send(gateway(), 'POST', '/auth/api_key', { body: {} }),
      'recent_sign_in_required',
    )
    const { password } = user
    expectProblem(await create({ totp_code: phone.wrong() }), 'recent_sign_in_required')
    expectProblem(await create({ password }), 'invalid_input')
    expectProblem(await create({ password, totp_code: phone.wrong() }), 'second_factor_invalid')
    const recovery_code = phone.recoveryCodes[0] ?? ''
    expectProblem(await create({ password: 'not the password', recovery_code }), 'password_incorrect')
    const shown = await send(gateway(), 'GET', '/auth/api_key', user)
    expect(shown.json?.data).toMatchObject({ second_factor: false, expires_at: null })
  })

  it('is created in a recent session with the second factor, or with the password and a code, which works once', async () => {
    const phone = await enroll(gateway(), user)
    const browser = await Browser.signIn(gateway(), user, { totp_code: phone.code() })
    const bySession = await browser.send(gateway(), 'POST', '/auth/api_key', { body: {} })
    expect(bySession.status).toBe(201)
    expect(bySession.json?.data).toMatchObject({ second_factor: true })
    const { api_key: secret } = bySession.json?.data as { api_key: string }
    const credential = { kind: 'user', email: user.email, secret } as const
    const body = { password: user.password, recovery_code: phone.recoveryCodes[0] ?? '' }
    expect((await create(body, credential)).json?.data).toMatchObject({ second_factor: true })
    expectProblem(await browser.send(gateway(), 'POST', '/auth/api_key', { body }), 'second_factor_invalid')
    const cycled = (await auditedOf(user)).filter(({ action }) => action === 'user_key.cycled')
    expect(cycled.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ second_factor: true, expires_at: null }),
    )
  })

  it('with an expiry is refused by every gateway from that moment on, also where it is cached', async () => {
    const past = await create({ expires_at: new Date(Date.now() - 1_000).toISOString() })
    expectProblem(past, 'invalid_input')
    const expires_at = new Date(Date.now() + 6_000).toISOString()
    const created = await create({ expires_at })
    expect(created.json?.data).toMatchObject({ expires_at })
    const { api_key: secret } = created.json?.data as { api_key: string }
    const credential = { kind: 'user', email: user.email, secret } as const
    for (const url of gateways())
      expect((await meAt(url, credential)).json?.data).toMatchObject({ proof: 'api_key', expires_at })
    const shown = await send(gateway(), 'GET', '/auth/api_key', { credential })
    expect(shown.json?.data).toMatchObject({ expires_at, api_key: null })
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expires_at) - Date.now() + 50))
    for (const url of gateways()) expectProblem(await meAt(url, credential), 'credential_expired')
    // A new key without an expiry replaces it.
    const byPassword = { kind: 'user', email: user.email, secret: user.password } as const
    expect((await create({}, byPassword)).json?.data).toMatchObject({
      expires_at: null,
      second_factor: false,
    })
  })
})

function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply.json).toMatchObject({ code })
  expect(reply.status).toBe(ERRORS[code].status)
}
