import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { send } from '../tools/http.js'
import { connect, expectProblem, expectRefused, gateway, gateways, link } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('a logout at the provider', () => {
  const provider = forSuite(() => FakeProvider.start())
  const organization = forSuite(() => newOrganization())
  let connectionId: string

  beforeAll(async () => {
    connectionId = await connect(organization, provider)
  })

  /** Two sessions of a new member, each with a session of its own at the provider. */
  async function twoSessions() {
    const sub = randomUUID()
    const sids = [randomUUID(), randomUUID()] as const
    provider.person = { sub, sid: sids[0] }
    const first = await link(await newMember(organization, 'member'), connectionId)
    provider.person = { sub, sid: sids[1] }
    const second = new SsoBrowser(gateway())
    await second.signIn(connectionId)
    return { sub, sids, first, second }
  }
  const logOut = (token: string, id = connectionId) =>
    fetch(`${gateway()}/auth/sso/${id}/backchannel_logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
  const me = (url: string, { cookie }: SsoBrowser) =>
    send(url, 'GET', '/auth/me', { headers: { cookie: cookie ?? '' } })
  const expectEnded = (browser: SsoBrowser) =>
    eventually(async () => {
      for (const url of gateways()) expectProblem(await me(url, browser), 'credential_invalid')
    })

  it('ends the sessions of its sid at every gateway, and no others', async () => {
    const { sub, sids, first, second } = await twoSessions()
    const reply = await logOut(await provider.logoutToken({ sub, sid: sids[0] }))
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
    await expectEnded(first)
    for (const url of gateways()) expect((await me(url, second)).status).toBe(200)
    expect((await logOut(await provider.logoutToken({ sid: sids[1] }))).status).toBe(200)
    await expectEnded(second)
  })

  it('ends all sessions of its sub', async () => {
    const { sub, first, second } = await twoSessions()
    expect((await logOut(await provider.logoutToken({ sub }))).status).toBe(200)
    await expectEnded(first)
    await expectEnded(second)
  })

  it('that is sent again ends no session that was started later', async () => {
    const { sub, first, second } = await twoSessions()
    const iat = Math.floor(Date.now() / 1_000) - 60
    expect((await logOut(await provider.logoutToken({ sub, iat }))).status).toBe(200)
    for (const browser of [first, second]) expect((await me(gateway(), browser)).status).toBe(200)
  })

  it.each([
    ['another audience', { aud: 'another' }],
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['a nonce, as an ID token has', { nonce: 'n' }],
    ['no events', { events: {} }],
    ['neither sub nor sid', { sub: undefined }],
    ['an age of more than ten minutes', { iat: 1_700_000_000, exp: undefined }],
    ['no jti', { jti: undefined }],
  ])('with %s is refused, in the format of RFC 6749, and ends nothing', async (_, claims) => {
    const { sub, first } = await twoSessions()
    const reply = await logOut(await provider.logoutToken({ sub, ...claims }))
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining('logout') },
    ])
    expect((await me(gateway(), first)).status).toBe(200)
  })

  it('with the signature of another provider, or for another connection, is refused', async () => {
    const other = await FakeProvider.start()
    const { sub, first } = await twoSessions()
    const forged = await other.logoutToken({ sub, iss: provider.issuer })
    expect((await logOut(forged)).status).toBe(400)
    expect((await logOut(await provider.logoutToken({ sub }), randomUUID())).status).toBe(404)
    expect((await me(gateway(), first)).status).toBe(200)
    await other.stop()
  })
})

describe('a connection that trusts email addresses', () => {
  it('counts an address in a verified domain as verified unless the provider says otherwise', async () => {
    const provider = await FakeProvider.start()
    const organization = await newOrganization()
    const { slug, admin } = organization
    const id = await connect(organization, provider, { just_in_time: true })
    const domain = `d-${randomUUID()}.example`
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, domain],
    )
    const signIn = async (email: string, more: { readonly email_verified?: boolean } = {}) => {
      provider.person = { sub: randomUUID(), email, ...more }
      return new SsoBrowser(gateway()).signIn(id)
    }
    expectRefused(await signIn(`a@${domain}`), 'sso_access_denied')
    await admin.client.call('changeSsoConnection', {
      organization: slug,
      connection_id: id,
      email_trusted: true,
    })
    expect((await signIn(`a@${domain}`)).status).toBe(302)
    expectRefused(await signIn(`b@${domain}`, { email_verified: false }), 'sso_access_denied')
    expectRefused(await signIn(`b@elsewhere-${domain}`), 'sso_access_denied')
    await provider.stop()
  })
})
