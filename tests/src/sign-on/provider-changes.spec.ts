import { randomUUID } from 'node:crypto'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { Browser, enroll } from '../tools/browser.js'
import { FakeProvider, type ProviderSetup } from '../tools/fake-provider.js'
import {
  change,
  connect,
  expectProblem,
  expectRefused,
  gateway,
  link,
  policy,
  projects,
} from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

let provider: FakeProvider
let organization: TestOrganization

beforeEach(async () => {
  provider = await FakeProvider.start()
  organization = await newOrganization()
})

afterEach(() => provider.stop())

describe('people whose account is linked sign in', () => {
  it.each<[string, ProviderSetup]>([
    ['its signing algorithm and key', { algorithm: 'ES256' }],
    ['the URLs of its endpoints', { path: '/v2' }],
    ['how clients authenticate', { clientAuthentication: ['client_secret_basic', 'private_key_jwt'] }],
  ])('after the provider has changed %s', async (_, changed) => {
    const connectionId = await connect(organization, provider)
    await link(await newMember(organization, 'member'), connectionId)
    provider.setup = changed
    const browser = new SsoBrowser(gateway())
    expect(await browser.signIn(connectionId)).toMatchObject({ status: 302 })
    expect(browser.cookie).toBeDefined()
  })

  it.each<[string, FakeProvider['lies']]>([
    ['name another issuer', { discoveredIssuer: 'https://accounts.example.com' }],
    ['name an endpoint in a private network', { tokenEndpoint: 'http://10.0.0.1/token' }],
    ['do not support PKCE', { pkceMethods: ['plain'] }],
  ])('with the stored metadata if those that the provider has now %s', async (_, lies) => {
    const connectionId = await connect(organization, provider)
    await link(await newMember(organization, 'member'), connectionId)
    provider.lies = lies
    expect(await new SsoBrowser(gateway()).signIn(connectionId)).toMatchObject({ status: 302 })
  })
})

describe('where the organization requires single sign-on and its connection is broken', () => {
  it('an admin with password and second factor repairs it, and reaches nothing else', async () => {
    const { admin, slug } = organization
    const connectionId = await connect(organization, provider)
    const linked = await link(admin, connectionId)
    expect(await change(linked, 'PUT', policy(organization), { sso_required: true })).toMatchObject({
      status: 200,
    })
    const connection = `/api/v0/organizations/${slug}/sso_connections/${connectionId}`
    const byPassword = await Browser.signIn(gateway(), admin)
    expectProblem(
      await byPassword.send(gateway(), 'PUT', connection, { body: { name: 'X' } }),
      'sso_required',
    )

    const phone = await enroll(gateway(), admin)
    const browser = await Browser.signIn(gateway(), admin, { totp_code: phone.code() })
    const repaired = await browser.send(gateway(), 'PUT', connection, { body: { client_id: 'new' } })
    expect(repaired).toMatchObject({ status: 200, json: { data: { client_id: 'new' } } })
    const others: [string, string, object?][] = [
      ['GET', projects(organization)],
      ['DELETE', connection],
      [
        'POST',
        `/api/v0/organizations/${slug}/sso_connections`,
        { name: 'X', issuer: provider.issuer, client_id: 'x' },
      ],
      ['PUT', policy(organization), { sso_required: false }],
    ]
    for (const [method, path, body] of others)
      expectProblem(await browser.send(gateway(), method, path, { body }), 'sso_required')
  })
})

describe('a provider without a usable client authentication', () => {
  it('is refused when it is connected, with what is missing', async () => {
    provider.setup = { clientAuthentication: ['private_key_jwt', 'tls_client_auth'] }
    const refusal = await connect(organization, provider).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'sso_provider_unusable', status: 400 })
    expect(String(refusal)).toContain('client_secret_basic')
    const withKey = { client_authentication: 'private_key_jwt' } as const
    const { admin, slug } = organization
    const connection_id = await connect(organization, provider, withKey)
    const change = { organization: slug, connection_id, client_authentication: 'client_secret' } as const
    const back = await admin.client.call('changeSsoConnection', change).catch((error: unknown) => error)
    expect(back).toMatchObject({ code: 'sso_provider_unusable' })
    provider.setup = { clientAuthentication: ['client_secret_basic'] }
    const none = await connect(organization, provider, withKey).catch((error: unknown) => error)
    expect(String(none)).toContain('private_key_jwt')
  })
})

describe('just-in-time provisioning', () => {
  let domain: string
  let connectionId: string

  beforeEach(async () => {
    domain = `${randomUUID()}.example`
    connectionId = await connect(organization, provider, { just_in_time: true })
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, domain],
    )
  })

  it.each<[string, (email: string) => { claims: object; userinfo?: Readonly<Record<string, unknown>> }]>([
    [
      'the ID token has the address, and the userinfo endpoint says that it is verified',
      (email) => ({ claims: { email }, userinfo: { email, email_verified: true } }),
    ],
    [
      'the userinfo endpoint has both',
      (email) => ({ claims: {}, userinfo: { email, email_verified: true } }),
    ],
    ['"email_verified" is a text', (email) => ({ claims: { email, email_verified: 'true' } })],
  ])('creates an account where %s', async (_, sent) => {
    const email = `ada@${domain}`
    const { claims, userinfo } = sent(email)
    provider.person = { sub: randomUUID(), ...claims }
    provider.setup = userinfo ? { userinfo } : {}
    const browser = new SsoBrowser(gateway())
    expect(await browser.signIn(connectionId)).toMatchObject({ status: 302 })
    expect((await browser.send('GET', '/auth/me')).json?.data).toMatchObject({ email })
    const networks =
      'SELECT network FROM sign_in_networks n JOIN users u ON u.id = n.user_id WHERE u.email = $1'
    expect(await queryIdentity(networks, [email])).toEqual([{ network: '127.0.0.1' }])
  })

  it.each<[string, (domain: string) => object, string]>([
    ['no email address', () => ({}), 'email_missing'],
    [
      'an address that is not verified',
      (of) => ({ email: `a@${of}`, email_verified: 'false' }),
      'email_not_verified',
    ],
    ['an address without a word about it', (of) => ({ email: `a@${of}` }), 'email_not_verified'],
    [
      'an address in another domain',
      (of) => ({ email: `a@sub.${of}`, email_verified: true }),
      'domain_not_verified',
    ],
  ])('says why it creates no account for %s', async (_, claims, reason) => {
    provider.person = { sub: randomUUID(), ...claims(domain) }
    const reply = await new SsoBrowser(gateway()).signIn(connectionId)
    expectRefused(reply, 'sso_access_denied')
    expect(reply.json).toMatchObject({ reason })
  })
})
