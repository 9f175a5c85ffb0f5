import type { ServerResponse } from 'node:http'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestUser } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { connect, expectProblem, expectRefused, gateway, link } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('single sign-on against a hostile provider', () => {
  const provider = forSuite(() => FakeProvider.start())
  const organization = forSuite(() => newOrganization())
  let connectionId: string
  let user: TestUser

  beforeAll(async () => {
    connectionId = await connect(organization, provider)
    user = await newMember(organization, 'member')
  })

  afterEach(() => {
    provider.lies = {}
  })

  beforeEach(async () => {
    provider.person = { sub: `somebody-${user.id}` }
    await queryIdentity('DELETE FROM sso_identities WHERE user_id = $1', [user.id])
    await link(user, connectionId)
  })

  it.each<[string, FakeProvider['lies']]>([
    ['an ID token of another issuer', { claims: { iss: 'https://accounts.example.com' } }],
    ['an ID token for another audience', { claims: { aud: 'somebody else' } }],
    ['an ID token for us and others without an authorized party', { claims: { aud: ['bearing', 'x'] } }],
    ['an ID token that has expired', { claims: { exp: Math.floor(Date.now() / 1_000) - 3_600 } }],
    ['a nonce of another sign-on', { claims: { nonce: 'Zm9yIGFub3RoZXIgc2lnbi1vbiwgdGhlIG5vbmNlIGl0' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['a subject that no database takes', { claims: { sub: 'a\u0000b' } }],
    ['an ID token without a signature', { signature: 'none' }],
    ['an ID token signed with the public key as a secret', { signature: 'HS256' }],
    ["an ID token signed with a outsider's key", { signature: 'outsider' }],
    ['another issuer beside the code', { responseIssuer: 'https://accounts.example.com' }],
    ['no issuer beside the code', { responseIssuer: null }],
    [
      'a token endpoint that refuses',
      { token: (reply) => reply.writeHead(400).end('{"error":"<b>no</b>"}') },
    ],
    ['a token endpoint that answers nonsense', { token: (reply) => reply.writeHead(200).end('nonsense') }],
  ])('signs nobody in with %s', async (_, lies) => {
    provider.lies = lies
    const browser = new SsoBrowser(gateway())
    const reply = await browser.signIn(connectionId)
    expectRefused(reply, 'sso_failed')
    expect(browser.cookie).toBeUndefined()
    expect(reply.text).not.toMatch(/<b>|eyJ/)
    provider.lies = {}
    expect(await browser.signIn(connectionId)).toMatchObject({ status: 302 })
  })

  it.each<[string, FakeProvider['lies']]>([
    ['follows no redirect', { token: (reply) => reply.writeHead(302, { location: '/token' }).end() }],
  ])('%s', async (_, lies) => {
    provider.lies = lies
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_failed')
  })

  it('is unavailable while the provider hangs up: 503', async () => {
    provider.lies = { token: (reply) => reply.destroy() }
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'service_unavailable')
  })

  it('says that a response of the provider is too large, instead of asking to try again', async () => {
    const body = `"${'x'.repeat(300_000)}"`
    provider.lies = {
      token: (reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end(body),
    }
    const reply = await new SsoBrowser(gateway()).signIn(connectionId)
    expectRefused(reply, 'sso_failed')
    expect(reply.text).toContain('larger than 256 KiB')
  })

  it('shows of what the provider says is wrong no more than a code', async () => {
    const browser = new SsoBrowser(gateway())
    const { searchParams } = new URL(await browser.begin(connectionId))
    const state = searchParams.get('state') ?? ''
    const path = `/auth/sso/${connectionId}/callback?state=${state}&error=%3Cscript%3E&error_description=%3Cb%3E`
    const reply = await browser.send('GET', path)
    expectRefused(reply, 'sso_failed')
    expect(reply.text).not.toMatch(/script|<b>/)
  })

  it('takes a state once, of many who come with it at the same moment', async () => {
    const browser = new SsoBrowser(gateway())
    const back = await browser.atProvider(await browser.begin(connectionId))
    const replies = await Promise.all([1, 2, 3].map(() => browser.send('GET', back)))
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 403, 403])
    expectProblem(await browser.send('GET', back), 'sso_failed')
  })

  it('finishes a sign-on only in the browser that began it, which a thief of the address does not hinder', async () => {
    const victim = new SsoBrowser(gateway())
    const back = await victim.atProvider(await victim.begin(connectionId))
    const thief = new SsoBrowser(gateway())
    await thief.begin(connectionId)
    expectRefused(await thief.send('GET', back), 'sso_failed')
    expectRefused(await new SsoBrowser(gateway()).send('GET', back), 'sso_failed')
    expect(await victim.send('GET', back)).toMatchObject({ status: 302 })
  })

  it("takes no provider's answer for another's: a mixed-up callback signs nobody in", async () => {
    const other = await FakeProvider.start()
    try {
      const otherId = await connect(organization, other)
      const browser = new SsoBrowser(gateway())
      const back = await browser.atProvider(await browser.begin(connectionId))
      expectRefused(await browser.send('GET', back.replace(connectionId, otherId)), 'sso_failed')
      // The honest provider's code, with the state of a sign-on at the hostile one.
      const atOther = new URL(await browser.begin(otherId)).searchParams.get('state') ?? ''
      const mixed = new URL(back, gateway())
      mixed.searchParams.set('state', atOther)
      mixed.pathname = `/auth/sso/${otherId}/callback`
      expectRefused(await browser.send('GET', mixed.pathname + mixed.search), 'sso_failed')
    } finally {
      await other.stop()
    }
  })

  it('that hangs keeps four people of its own connection waiting at most, and nobody of another one', async () => {
    const other = await FakeProvider.start()
    try {
      const otherId = await connect(await newOrganization(), other)
      const held: ServerResponse[] = []
      const ways: { browser: SsoBrowser; back: string }[] = []
      for (let n = 0; n < 5; n++) {
        const browser = new SsoBrowser(gateway())
        ways.push({ browser, back: await browser.atProvider(await browser.begin(connectionId)) })
      }
      const elsewhere = new SsoBrowser(gateway())
      const backThere = await elsewhere.atProvider(await elsewhere.begin(otherId))
      // From here on there are five seconds, after which identity waits no longer.
      provider.lies = { token: (reply) => held.push(reply) }
      const [last, ...first] = ways
      const waiting = first.map(({ browser, back }) => browser.send('GET', back))
      await eventually(() => {
        expect(held).toHaveLength(4)
      })
      const [refused, accepted] = await Promise.all([
        last?.browser.send('GET', last.back),
        elsewhere.send('GET', backThere),
      ])
      for (const reply of held) reply.writeHead(400).end('{"error":"invalid_grant"}')
      expect(refused?.json).toMatchObject({ code: 'overloaded', status: 503 })
      expect(refused?.headers.get('retry-after')).toBe('2')
      // The person is unknown, but the response is processed.
      expectProblem(accepted, 'sso_access_denied')
      for (const reply of await Promise.all(waiting)) expectRefused(reply, 'sso_failed')
    } finally {
      await other.stop()
    }
  })

  it('that hangs keeps eight people of its own organization waiting at most, however many connections that has', async () => {
    const held: ServerResponse[] = []
    const connections = [
      connectionId,
      await connect(organization, provider),
      await connect(organization, provider),
    ]
    const ways: { browser: SsoBrowser; back: string }[] = []
    for (let n = 0; n < 9; n++) {
      const browser = new SsoBrowser(gateway())
      const back = await browser.atProvider(await browser.begin(connections[n % 3] ?? ''))
      ways.push({ browser, back })
    }
    provider.lies = { token: (reply) => held.push(reply) }
    const [last, ...first] = ways
    const waiting = first.map(({ browser, back }) => browser.send('GET', back))
    await eventually(() => {
      expect(held).toHaveLength(8)
    })
    const refused = await last?.browser.send('GET', last.back)
    for (const reply of held) reply.writeHead(400).end('{"error":"invalid_grant"}')
    expect(refused?.json).toMatchObject({ code: 'overloaded', status: 503 })
    for (const reply of await Promise.all(waiting)) expectRefused(reply, 'sso_failed')
  })

  it('leaves code and state neither with caches nor with the sites that a page of Bearing leads to', async () => {
    const browser = new SsoBrowser(gateway())
    const reply = await browser.signIn(connectionId)
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })
})
