import { randomUUID } from 'node:crypto'
import { releaseSsoRule } from '@bearing/contracts/identity/sso/sign-in-policy'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newUser, type TestOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn, queryIdentity } from '../tools/audited.js'
import { Browser } from '../tools/browser.js'
import { send } from '../tools/http.js'
import { FakeProvider } from '../tools/fake-provider.js'
import {
  change,
  connect,
  expectProblem,
  expectRefused,
  gateway,
  gateways,
  link,
  policy,
  projects,
} from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('a connection', () => {
  const provider = forSuite(() => FakeProvider.start())
  let organization: TestOrganization

  beforeEach(async () => {
    organization = await newOrganization()
    provider.lies = {}
    provider.person = { sub: randomUUID() }
  })

  it('never shows its client secret, which is stored sealed', async () => {
    const id = await connect(organization, provider)
    const shown = await organization.admin.client.call('showSsoConnection', {
      organization: organization.slug,
      connection_id: id,
    })
    expect(shown).toMatchObject({
      issuer: provider.issuer,
      has_client_secret: true,
      callback_path: `/auth/sso/${id}/callback`,
      enabled: true,
    })
    const { data } = await organization.admin.client.call('listSsoConnections', {
      organization: organization.slug,
    })
    expect(data).toEqual([shown])
    const [row] = await queryIdentity('SELECT * FROM sso_connections WHERE id = $1', [id])
    const box = row?.['secret_box'] as Buffer
    expect(box.includes(provider.clientSecret)).toBe(false)
    const audited = JSON.stringify(await auditedIn('identity', organization))
    for (const text of [JSON.stringify(shown), audited]) expect(text).not.toContain(provider.clientSecret)
    expect(audited).toContain('sso_connection.created')
  })

  it.each<[string, FakeProvider['lies']]>([
    ['calls itself by another issuer', { discoveredIssuer: 'https://accounts.example.com' }],
    ['does not take PKCE with S256', { pkceMethods: ['plain'] }],
    ['wants the code sent in the clear to another machine', { tokenEndpoint: 'http://203.0.113.1/token' }],
  ])('is not made to a provider that %s', async (_, lies) => {
    provider.lies = lies
    await expect(connect(organization, provider)).rejects.toMatchObject({ code: 'sso_provider_unusable' })
  })

  it('is not seen or touched by the admins of another organization', async () => {
    const id = await connect(organization, provider)
    const outsider = await newOrganization()
    for (const name of ['showSsoConnection', 'changeSsoConnection', 'deleteSsoConnection'] as const)
      await expect(
        outsider.admin.client.call(name, { organization: outsider.slug, connection_id: id }),
      ).rejects.toMatchObject({ code: 'sso_connection_not_found' })
  })

  it.each([
    [
      'deleted',
      (id: string) =>
        organization.admin.client.call('deleteSsoConnection', {
          organization: organization.slug,
          connection_id: id,
        }),
    ],
    [
      'disabled',
      (id: string) =>
        organization.admin.client.call('changeSsoConnection', {
          organization: organization.slug,
          connection_id: id,
          enabled: false,
        }),
    ],
  ])('that is %s ends its sessions at every gateway, and signs nobody in', async (_, close) => {
    const id = await connect(organization, provider)
    const browser = await link(organization.admin, id)
    const back = await browser.atProvider(await browser.begin(id))
    const me = (url: string) => send(url, 'GET', '/auth/me', { headers: { cookie: browser.cookie ?? '' } })
    for (const url of gateways()) expect((await me(url)).status).toBe(200)
    await close(id)
    await eventually(async () => {
      for (const url of gateways()) expectProblem(await me(url), 'credential_invalid')
    })
    expectRefused(await browser.send('GET', back), 'sso_failed')
    expectProblem(await browser.send('GET', `/auth/sso/${id}/start`), 'sso_connection_not_found')
  })

  describe('with just-in-time membership', () => {
    let id: string
    let domain: string
    const verify = (at: Date | null) =>
      queryIdentity(
        `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', $3)`,
        [organization.id, domain, at],
      )

    beforeEach(async () => {
      id = await connect(organization, provider, { just_in_time: true })
      domain = `d-${randomUUID()}.example`
    })

    it('makes a user with a verified address in a verified domain a member, once', async () => {
      await verify(new Date())
      for (const name of ['ada', 'bea', 'cyd', 'dan', 'eve', 'fay']) {
        const email = `${name}@${domain}`
        provider.person = { sub: randomUUID(), email: email.toUpperCase(), email_verified: true }
        const [first, second] = [new SsoBrowser(gateway()), new SsoBrowser(gateways()[1] ?? '')]
        const replies = await Promise.all([first.signIn(id), second.signIn(id)])
        expect(replies.map(({ status }) => status)).toEqual([302, 302])
        const [one, other] = await Promise.all(
          [first, second].map(async (browser) => (await browser.send('GET', '/auth/me')).json?.data),
        )
        expect(one).toMatchObject({ email, grants: [{ organization_id: organization.id, role: 'member' }] })
        expect(other).toMatchObject({ user_id: (one as { user_id: string }).user_id })
      }
    })

    it.each([
      ['an address that the provider has not verified', { email_verified: false }, true],
      ['an address of which it does not say so', {}, true],
      ['an address in a domain that is not verified', { email_verified: true }, false],
    ])('makes nobody a member who signs in with %s', async (_, claims, verified) => {
      await verify(verified ? new Date() : null)
      const email = `eve@${domain}`
      provider.person = { sub: randomUUID(), email, ...claims }
      expectRefused(await new SsoBrowser(gateway()).signIn(id), 'sso_access_denied')
      expect(await queryIdentity('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([])
    })

    it('takes over no account by its address: its owner has to link it', async () => {
      await verify(new Date())
      const user = await newUser()
      const email = `old@${domain}`
      await queryIdentity('UPDATE users SET email = $2 WHERE id = $1', [user.id, email])
      provider.person = { sub: randomUUID(), email, email_verified: true }
      expectRefused(await new SsoBrowser(gateway()).signIn(id), 'sso_access_denied')
      const browser = await link({ ...user, email }, id)
      expect((await browser.send('GET', '/auth/me')).json?.data).toMatchObject({
        user_id: user.id,
        grants: [{ organization_id: organization.id, role: 'member' }],
      })
    })
  })

  describe('where the organization requires single sign-on', () => {
    const required = { sso_required: true }

    it('API keys and passwords are refused for it at every gateway, and still work elsewhere', async () => {
      const { admin } = organization
      const elsewhere = await newOrganization()
      await queryIdentity(
        `INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'member')`,
        [admin.id, elsewhere.id],
      )
      const id = await connect(organization, provider)
      const withPassword = await Browser.signIn(gateway(), admin)
      const browser = await link(admin, id)
      const byPassword = { credential: { kind: 'user', email: admin.email, secret: admin.password } } as const
      const again = await Browser.signIn(gateway(), admin)
      expect((await change(browser, 'PUT', policy(organization), required)).json?.data).toEqual({
        sso_required: true,
        second_factor_required: false,
        second_factor_kind: 'any',
        device_logins: 'on',
      })
      for (const url of gateways()) {
        for (const sent of [
          { credential: admin.credential },
          byPassword,
          { headers: { cookie: again.cookie } },
        ]) {
          await eventually(async () => {
            expectProblem(await send(url, 'GET', projects(organization), sent), 'sso_required')
          })
          expect(await send(url, 'GET', projects(elsewhere), sent)).toMatchObject({ status: 200 })
          expect(await send(url, 'GET', '/auth/me', sent)).toMatchObject({ status: 200 })
        }
        for (const sent of [
          { headers: { cookie: browser.cookie ?? '' } },
          { credential: organization.token.credential },
        ])
          expect(await send(url, 'GET', projects(organization), sent)).toMatchObject({ status: 200 })
      }
      expect(withPassword.reply.status).toBe(201)
      expect(await auditedIn('identity', organization)).toContainEqual(
        expect.objectContaining({
          action: 'sign_in_policy.changed',
          details: expect.objectContaining({ sso_required: true, sso_required_before: false }),
        }),
      )
    })

    it('only who came by it can have switched that on: nobody locks everybody out', async () => {
      const { admin } = organization
      await connect(organization, provider)
      expectProblem(
        await send(gateway(), 'PUT', policy(organization), { credential: admin.credential, body: required }),
        'sso_required',
      )
      const page = await Browser.signIn(gateway(), admin)
      expectProblem(
        await page.send(gateway(), 'PUT', policy(organization), { body: required }),
        'sso_required',
      )
    })

    it('an admin who came by it in a browser can switch it on with another credential, while they are', async () => {
      const { admin } = organization
      const browser = await link(admin, await connect(organization, provider))
      const set = () =>
        send(gateway(), 'PUT', policy(organization), { credential: admin.credential, body: required })
      await queryIdentity(
        `UPDATE sessions SET last_seen_at = last_seen_at - interval '1 year' WHERE user_id = $1`,
        [admin.id],
      )
      expectProblem(await set(), 'sso_required')
      await queryIdentity('UPDATE sessions SET last_seen_at = now() WHERE user_id = $1', [admin.id])
      expect(await set()).toMatchObject({ status: 200 })
      await eventually(async () => {
        expectProblem(await send(gateway(), 'GET', projects(organization), admin), 'sso_required')
        expect(await browser.send('GET', projects(organization))).toMatchObject({ status: 200 })
      })
    })

    it('its only connection stays, until the rule is taken back or an operator takes it back', async () => {
      const { admin, slug } = organization
      const id = await connect(organization, provider)
      const browser = await link(admin, id)
      expect((await change(browser, 'PUT', policy(organization), required)).status).toBe(200)
      const connection = `/api/v0/organizations/${slug}/sso_connections/${id}`
      expectProblem(await change(browser, 'DELETE', connection), 'sso_connection_needed')
      expectProblem(await change(browser, 'PUT', connection, { enabled: false }), 'sso_connection_needed')
      await eventually(async () => {
        expectProblem(await send(gateway(), 'GET', projects(organization), admin), 'sso_required')
      })
      await callAsOperator(releaseSsoRule, { organization_id: organization.id })
      await eventually(async () => {
        for (const url of gateways())
          expect(await send(url, 'GET', projects(organization), admin)).toMatchObject({ status: 200 })
      })
      expect(await auditedIn('identity', organization)).toContainEqual(
        expect.objectContaining({ action: 'sign_in_policy.released', actor_kind: 'service' }),
      )
    })

    it("its provider is trusted with the second factor, which another's is not", async () => {
      const { admin } = organization
      const browser = await link(admin, await connect(organization, provider))
      const both = { sso_required: true, second_factor_required: true }
      expect((await change(browser, 'PUT', policy(organization), both)).status).toBe(200)
      await eventually(async () => {
        expect(await browser.send('GET', projects(organization))).toMatchObject({ status: 200 })
      })
    })
  })
})
