import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn, queryIdentity } from '../tools/audited.js'
import { Browser } from '../tools/browser.js'
import { send } from '../tools/http.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { RealProvider } from '../tools/real-provider.js'
import {
  beginLink,
  change,
  connect,
  expectProblem,
  expectRefused,
  gateway,
  gateways,
  link,
  projects,
} from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('single sign-on', () => {
  const provider = forSuite(() => FakeProvider.start())
  const organization = forSuite(() => newOrganization())
  let connectionId: string

  beforeAll(async () => {
    connectionId = await connect(organization, provider)
  })

  beforeEach(() => {
    provider.person = { sub: randomUUID() }
  })

  afterEach(() => {
    provider.lies = {}
  })

  it('signs in who has linked their account, at every gateway, for this organization alone', async () => {
    const elsewhere = await newOrganization()
    const user = elsewhere.admin
    await queryIdentity(`INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'admin')`, [
      user.id,
      organization.id,
    ])
    await link(user, connectionId)
    const browser = new SsoBrowser(gateway())
    const landed = await browser.signIn(connectionId, '?return_to=/dashboard?tab=devices')
    expect(landed).toMatchObject({ status: 302, text: '' })
    expect(landed.headers.get('location')).toBe('/dashboard?tab=devices')
    expect(landed.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-bearing_session=brgs_\w+; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^__Host-bearing_sign_on=; .*Max-Age=0$/),
    ])
    for (const url of gateways()) {
      const headers = { cookie: browser.cookie ?? '' }
      expect((await send(url, 'GET', '/auth/me', { headers })).json?.data).toMatchObject({
        user_id: user.id,
        proof: 'session',
        methods: ['sso'],
        sso: { connection_id: connectionId, organization_id: organization.id },
        grants: [{ organization_id: organization.id }],
      })
      expect(await send(url, 'GET', projects(organization), { headers })).toMatchObject({ status: 200 })
      expectProblem(await send(url, 'GET', projects(elsewhere), { headers }), 'organization_not_found')
    }
    // The owner of the provider could have signed in as the user: such a session reaches no further and ends with it.
    expectProblem(await change(browser, 'POST', '/auth/api_key'), 'permission_denied')
    expectProblem(await change(browser, 'POST', `/auth/sso/${connectionId}/link`), 'permission_denied')
    expect(await auditedIn('identity', organization)).toContainEqual(
      expect.objectContaining({ action: 'sso_identity.linked', actor_user_id: user.id }),
    )
  })

  it('asks for the code with state, nonce and PKCE, and keeps none of them in the browser or readable', async () => {
    const browser = new SsoBrowser(gateway())
    const asked = new URL(await browser.begin(connectionId)).searchParams
    expect(Object.fromEntries(asked)).toEqual({
      client_id: provider.clientId,
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${gateway()}/auth/sso/${connectionId}/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const stored = JSON.stringify(await queryIdentity('SELECT * FROM sign_on_attempts', []))
    for (const name of ['state', 'nonce']) expect(stored).not.toContain(asked.get(name))
  })

  it('begins at the connection of an organization, and reveals to nobody which organizations have one', async () => {
    const browser = new SsoBrowser(gateway())
    const begun = await browser.send('GET', `/auth/sso?organization=${organization.slug}`)
    expect(begun.status).toBe(302)
    expect(begun.headers.get('location')).toContain(provider.issuer)
    const without = await newOrganization()
    const replies = await Promise.all(
      [without.slug, 'there-is-none', '%00'].map((slug) =>
        browser.send('GET', `/auth/sso?organization=${slug}`),
      ),
    )
    for (const reply of replies) expectProblem(reply, 'sso_connection_not_found')
  })

  it('is not started from another origin in a browser that has a session, whether of another site or a sibling subdomain', async () => {
    const user = await newMember(organization, 'member')
    const signedIn = await Browser.signIn(gateway(), user)
    const starts = [`/auth/sso/${connectionId}/start`, `/auth/sso?organization=${organization.slug}`]
    const begin = (path: string, site: string, cookie?: string) =>
      send(gateway(), 'GET', path, { headers: { 'sec-fetch-site': site, ...(cookie && { cookie }) } })
    for (const path of starts) {
      for (const site of ['cross-site', 'same-site']) {
        expectRefused(await begin(path, site, signedIn.cookie), 'csrf_refused')
        expectRefused(await begin(path, site, `theme=dark; ${signedIn.cookie}`), 'csrf_refused')
        // Partners link to the sign-on: a browser without a session may come from anywhere.
        expect((await begin(path, site)).status).toBe(302)
        expect((await begin(path, site, 'theme=dark')).status).toBe(302)
      }
      // Pages of this origin may switch, and so may a user who types the URL.
      for (const site of ['same-origin', 'none'])
        expect((await begin(path, site, signedIn.cookie)).status).toBe(302)
    }
    expect((await send(gateway(), 'GET', '/auth/me', { headers: { cookie: signedIn.cookie } })).status).toBe(
      200,
    )
  })

  it('is neither started nor completed by HEAD, which leaves the code for the GET that follows', async () => {
    const browser = new SsoBrowser(gateway())
    for (const path of [`/auth/sso/${connectionId}/start`, `/auth/sso?organization=${organization.slug}`]) {
      const head = await browser.send('HEAD', path)
      expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
      expect(head.headers.getSetCookie()).toEqual([])
    }
    const callback = await browser.atProvider(await browser.begin(connectionId))
    const head = await browser.send('HEAD', callback)
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    const get = await browser.send('GET', callback)
    expect(get.status).not.toBe(405)
    expect(get.text).not.toContain('not_begun')
  })

  it('asks for the account, not for its address: nobody is signed in by e-mail', async () => {
    const { email } = organization.admin
    provider.person = { sub: randomUUID(), email, email_verified: true }
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
  })

  it('rejects a user that the organization has removed, although its provider accepts them', async () => {
    const user = await newMember(organization, 'member')
    const browser = await link(user, connectionId)
    await organization.admin.client.call('removeMember', {
      organization: organization.slug,
      user_id: user.id,
    })
    // The session reached this organization alone: it ends with the membership.
    await eventually(async () => {
      expectProblem(await browser.send('GET', projects(organization)), 'credential_invalid')
    })
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
  })

  it('shows and ends no session but those of its own connection', async () => {
    const user = await newMember(organization, 'member')
    const withPassword = await Browser.signIn(gateway(), user)
    const browser = await link(user, connectionId)
    const listed = (await browser.send('GET', '/auth/sessions')).json?.data as { methods: string[] }[]
    expect(listed.length).toBeGreaterThan(0)
    for (const { methods } of listed) expect(methods).toEqual(['sso'])
    const end = (path: string) => change(browser, 'DELETE', path)
    expectProblem(await end(`/auth/sessions/${withPassword.sessionId}`), 'session_not_found')
    expect((await end('/auth/sessions')).status).toBe(200)
    const me = await send(gateway(), 'GET', '/auth/me', { headers: { cookie: withPassword.cookie } })
    expect(me.status).toBe(200)
  })

  it('links one account with a person at the provider, and another one not', async () => {
    await link(await newMember(organization, 'member'), connectionId)
    const { browser, address } = await beginLink(await newMember(organization, 'member'), connectionId)
    expectRefused(await browser.send('GET', await browser.atProvider(address)), 'sso_identity_taken')
  })

  it('links only while the session that began it is there', async () => {
    const user = await newMember(organization, 'member')
    const { page, browser, address } = await beginLink(user, connectionId)
    expect((await page.send(gateway(), 'DELETE', '/auth/session')).status).toBe(200)
    expectRefused(await browser.send('GET', await browser.atProvider(address)), 'sso_failed')
    expect(await queryIdentity('SELECT 1 FROM sso_identities WHERE user_id = $1', [user.id])).toEqual([])
  })

  it('that is unlinked ends its sessions, and is not found again', async () => {
    const user = await newMember(organization, 'member')
    const browser = await link(user, connectionId)
    const { data } = await user.client.call('listSsoIdentities', {})
    expect(data).toMatchObject([{ connection_id: connectionId, subject: provider.person.sub }])
    await user.client.call('deleteSsoIdentity', { sso_identity_id: data[0]?.id ?? '' })
    await eventually(async () => {
      for (const url of gateways())
        expectProblem(
          await send(url, 'GET', '/auth/me', { headers: { cookie: browser.cookie ?? '' } }),
          'credential_invalid',
        )
    })
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%0d%0aX: y\r\n',
    ' /x',
    '/\t/evil.example',
  ])('never leads to another site: %j', async (path) => {
    const reply = await new SsoBrowser(gateway()).send(
      'GET',
      `/auth/sso/${connectionId}/start?return_to=${encodeURIComponent(path)}`,
    )
    expectProblem(reply, 'invalid_input')
  })
})

describe('with a real OpenID provider (oidc-provider)', () => {
  it('an account is linked, and signs in again and again, with the claims from the userinfo endpoint', async () => {
    await using provider = await RealProvider.start()
    const organization = await newOrganization()
    const id = await connect(organization, provider, { just_in_time: true })
    provider.allow(`${gateway()}/auth/sso/${id}/callback`)
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, provider.domain],
    )
    for (let time = 0; time < 2; time++) {
      const browser = new SsoBrowser(gateway())
      const back = await provider.signIn(await browser.begin(id, '?return_to=/dashboard'), 'grace')
      const landed = await browser.send('GET', back)
      expect(landed).toMatchObject({ status: 302 })
      expect(landed.headers.get('location')).toBe('/dashboard')
      expect((await browser.send('GET', '/auth/me')).json?.data).toMatchObject({
        email: `grace@${provider.domain}`,
        methods: ['sso'],
        grants: [{ organization_id: organization.id, role: 'member' }],
      })
    }
  })
  it('takes a JWT that is signed with the key of the connection, and with the next key after it was replaced', async () => {
    await using provider = await RealProvider.start()
    const organization = await newOrganization()
    const { slug, admin } = organization
    const connection = await admin.client.call('createSsoConnection', {
      ...{ organization: slug, name: 'Ours', issuer: provider.issuer, client_id: provider.clientId },
      ...{ client_authentication: 'private_key_jwt', just_in_time: true },
    })
    const { id, jwks_path } = connection
    expect(connection).toMatchObject({ has_client_secret: false, jwks_path: `/auth/sso/${id}/jwks.json` })
    provider.allow(`${gateway()}/auth/sso/${id}/callback`)
    provider.trustKeys(`${gateway()}${jwks_path ?? ''}`)
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, provider.domain],
    )
    const keys = async () => {
      const { json } = await send(gateway(), 'GET', jwks_path ?? '')
      const [key, ...more] = (json as { keys: Record<string, string>[] }).keys
      expect(more).toEqual([])
      expect(Object.keys(key ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
      return key?.['kid']
    }
    const signIn = async () => {
      const browser = new SsoBrowser(gateway())
      return browser.send('GET', await provider.signIn(await browser.begin(id), 'grace'))
    }
    const before = await keys()
    expect((await signIn()).status).toBe(302)
    const change = { organization: slug, connection_id: id }
    await admin.client.call('changeSsoConnection', { ...change, client_authentication: 'private_key_jwt' })
    expect(await keys()).not.toBe(before)
    provider.trustKeys(`${gateway()}${jwks_path ?? ''}`)
    expect((await signIn()).status).toBe(302)
    await admin.client.call('changeSsoConnection', { ...change, client_authentication: 'client_secret' })
    expectRefused(await signIn(), 'sso_failed')
    expect((await send(gateway(), 'GET', jwks_path ?? '')).json).toEqual({ keys: [] })
  })
})
