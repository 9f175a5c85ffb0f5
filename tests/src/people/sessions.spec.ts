import { randomUUID } from 'node:crypto'
import { formatToken, parseToken } from '@bearing/access/token-format'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import { newOrganization, newUser, type TestUser } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { Browser, cookieOf, signIn } from '../tools/browser.js'
import { auditedIn, auditedOf, queryIdentity } from '../tools/audited.js'
import { send, type Reply } from '../tools/http.js'

const HOUR_S = 3_600

describe('a session', () => {
  let user: TestUser
  const gateways = () => testStack().gatewayUrls
  const gateway = () => gateways()[0] ?? ''
  const me = (url: string, browser: Pick<Browser, 'cookie'>) =>
    send(url, 'GET', '/auth/me', { headers: { cookie: browser.cookie } })
  /** Makes a session as old as if so much time had passed. No gateway must know it yet. */
  const age = ({ sessionId }: Browser, column: 'last_seen_at' | 'ends_at', seconds: number) =>
    queryIdentity(
      `UPDATE sessions
       SET created_at = created_at - make_interval(secs => $2), ${column} = ${column} - make_interval(secs => $2)
       WHERE id = $1`,
      [sessionId, seconds],
    )

  beforeEach(async () => {
    user = await newUser()
  })

  it('is started with e-mail address and password, and is the user at every gateway', async () => {
    const browser = await Browser.signIn(gateway(), user)
    expect(browser.reply.json).toEqual({
      data: {
        user_id: user.id,
        email: user.email,
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
        session: expect.objectContaining({ methods: ['pwd'], current: true, address: '127.0.0.1' }),
      },
    })
    expect(browser.reply.text).not.toContain(browser.token)
    expect(browser.reply.headers.get('set-cookie')).toMatch(
      /^__Host-bearing_session=brgs_\w+; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    for (const url of gateways())
      expect((await me(url, browser)).json?.data).toMatchObject({
        kind: 'user',
        user_id: user.id,
        proof: 'session',
        credential_id: browser.sessionId,
        methods: ['pwd'],
        second_factor: false,
      })
    expect(await auditedOf(user)).toContainEqual(
      expect.objectContaining({
        action: 'session.started',
        target: `session:${browser.sessionId}`,
        actor_credential_id: browser.sessionId,
        address: '127.0.0.1',
      }),
    )
  })

  it('that is started is in the log of every organization that it opens, with how the user signed in', async () => {
    const own = await newOrganization()
    const browser = await Browser.signIn(gateway(), own.admin)
    expect(await auditedIn('identity', own)).toContainEqual(
      expect.objectContaining({
        action: 'session.started',
        target: `session:${browser.sessionId}`,
        actor_user_id: own.admin.id,
        details: { methods: ['pwd'], user_agent: 'node' },
      }),
    )
  })

  it('is one of fifty at most: who opens more gets the oldest ones closed, at every gateway', async () => {
    const first = await Browser.signIn(gateway(), user)
    expect((await me(gateway(), first)).status).toBe(200)
    await queryIdentity(
      `INSERT INTO sessions (id, user_id, secret_hash, pepper_id, created_at, last_seen_at, ends_at, methods)
       SELECT gen_random_uuid(), user_id, secret_hash, pepper_id, created_at + interval '1 ms', last_seen_at, ends_at, methods
       FROM sessions, generate_series(1, 49) WHERE id = $1`,
      [first.sessionId],
    )
    const last = await Browser.signIn(gateway(), user)
    expect((await me(gateway(), last)).status).toBe(200)
    await eventually(async () => {
      for (const url of gateways()) expect((await me(url, first)).status).toBe(401)
    })
    const { total } = (
      await queryIdentity('SELECT count(*)::int AS total FROM sessions WHERE user_id = $1', [user.id])
    )[0] as { total: number } // one row
    expect(total).toBe(50)
  })

  it('is not stored: only a hash that takes the pepper to make', async () => {
    const browser = await Browser.signIn(gateway(), user)
    const { secret } = parseToken(browser.token) ?? {}
    const rows = await queryIdentity('SELECT * FROM sessions WHERE id = $1', [browser.sessionId])
    const stored = JSON.stringify(rows)
    expect(stored).toContain(browser.sessionId)
    for (const form of ['hex', 'base64'] as const)
      expect(stored).not.toContain(Buffer.from(secret ?? []).toString(form))
  })

  it('is refused with the same answer for a wrong password and for an account that there is not', async () => {
    const replies = [
      await signIn(gateway(), { ...user, password: 'not the password' }),
      await signIn(gateway(), { email: `${randomUUID()}@example.com`, password: 'not the password' }),
    ]
    const [first, second] = replies.map(({ json }) => ({ ...json, request_id: '' }))
    expect(first).toEqual(second)
    for (const reply of replies) {
      expectProblem(reply, 'credential_invalid')
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
  })

  it('that has ended is refused by every gateway, immediately and permanently', async () => {
    const browser = await Browser.signIn(gateway(), user)
    for (const url of gateways()) expect((await me(url, browser)).status).toBe(200)
    const out = await browser.send(gateway(), 'DELETE', '/auth/session')
    expect(out.status).toBe(200)
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-bearing_session=; .*Max-Age=0$/)
    await eventually(async () => {
      for (const url of gateways()) expectProblem(await me(url, browser), 'credential_invalid')
    })
    expect(await auditedOf(user)).toContainEqual(
      expect.objectContaining({ action: 'session.ended', target: `session:${browser.sessionId}` }),
    )
  })

  it('idles out, and its absolute end comes however much it is used', async () => {
    const idle = await Browser.signIn(gateway(), user)
    const old = await Browser.signIn(gateway(), user)
    await age(idle, 'last_seen_at', 12 * HOUR_S)
    await age(old, 'ends_at', 7 * 24 * HOUR_S)
    for (const browser of [idle, old])
      for (const url of gateways()) expectProblem(await me(url, browser), 'credential_expired')
    const { data } = (await me(gateway(), await Browser.signIn(gateway(), user))).json ?? {}
    expect(data).toMatchObject({ proof: 'session' })
  })

  it('that is used does not idle out', async () => {
    const browser = await Browser.signIn(gateway(), user)
    await age(browser, 'last_seen_at', 12 * HOUR_S - 120)
    const before = Date.now()
    const { expires_at } = (await me(gateway(), browser)).json?.data as { expires_at: string }
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 12 * HOUR_S * 1_000)
    const [row] = await queryIdentity('SELECT last_seen_at FROM sessions WHERE id = $1', [browser.sessionId])
    expect((row?.['last_seen_at'] as Date).getTime()).toBeGreaterThanOrEqual(before)
  })

  it('with a secret that is not its own is refused', async () => {
    const browser = await Browser.signIn(gateway(), user)
    const parts = parseToken(browser.token)
    if (!parts) throw new Error('the cookie holds no token')
    const forged = formatToken({ ...parts, secret: new Uint8Array(32) })
    expectProblem(await me(gateway(), { cookie: `__Host-bearing_session=${forged}` }), 'credential_invalid')
    expectProblem(await me(gateway(), { cookie: `${browser.cookie}x` }), 'credential_malformed')
  })

  it('gets a new id at every sign-in, and ends the one that the browser had', async () => {
    const first = await Browser.signIn(gateway(), user)
    expect((await me(gateway(), first)).status).toBe(200)
    const again = await signIn(gateway(), user, {}, { cookie: first.cookie })
    expect(again.status).toBe(201)
    expect(cookieOf(again)).not.toBe(first.cookie)
    await eventually(async () => {
      for (const url of gateways()) expectProblem(await me(url, first), 'credential_invalid')
    })
    expect((await me(gateway(), { cookie: cookieOf(again) })).status).toBe(200)
  })

  it("is not ended by who knows its id: signing in with a made-up cookie leaves somebody else's alone", async () => {
    const victim = await Browser.signIn(gateway(), user)
    const parts = parseToken(victim.token)
    if (!parts) throw new Error('the cookie holds no token')
    const forged = formatToken({ ...parts, secret: new Uint8Array(32) })
    const cookie = `__Host-bearing_session=${forged}`
    expect((await signIn(gateway(), await newUser(), {}, { cookie })).status).toBe(201)
    for (const url of gateways()) expect((await me(url, victim)).status).toBe(200)
  })

  it('that its password opened is not opened by an API key or another secret of Bearing', async () => {
    expectProblem(await signIn(gateway(), { ...user, password: user.apiKey }), 'credential_invalid')
  })

  describe('among several of a user', () => {
    const listed = async (browser: Browser) =>
      (await browser.send(gateway(), 'GET', '/auth/sessions')).json?.data as {
        id: string
        current: boolean
      }[]

    it('is listed, newest first and its own marked, and one of them can be ended', async () => {
      const first = await Browser.signIn(gateway(), user)
      const second = await Browser.signIn(gateway(), user)
      expect((await listed(second)).map(({ id, current }) => [id, current])).toEqual([
        [second.sessionId, true],
        [first.sessionId, false],
      ])
      const byKey = await user.client.call('listSessions', {})
      expect(byKey.data.map(({ current }) => current)).toEqual([false, false])

      const path = `/auth/sessions/${first.sessionId}`
      expect((await second.send(gateway(), 'DELETE', path)).status).toBe(200)
      await eventually(async () => {
        for (const url of gateways()) expectProblem(await me(url, first), 'credential_invalid')
      })
      expectProblem(await second.send(gateway(), 'DELETE', path), 'session_not_found')
      expect(await listed(second)).toHaveLength(1)
    })

    it('all others end immediately, and the calling one stays', async () => {
      const others = [await Browser.signIn(gateway(), user), await Browser.signIn(gateway(), user)]
      const own = await Browser.signIn(gateway(), user)
      for (const browser of [...others, own]) expect((await me(gateway(), browser)).status).toBe(200)
      const ended = await own.send(gateway(), 'DELETE', '/auth/sessions')
      expect(ended.json).toEqual({ data: { ended_count: 2 } })
      await eventually(async () => {
        for (const url of gateways())
          for (const browser of others) expectProblem(await me(url, browser), 'credential_invalid')
      })
      expect((await me(gateway(), own)).status).toBe(200)
    })

    it('all others end when the password is changed', async () => {
      const [other, own] = [await Browser.signIn(gateway(), user), await Browser.signIn(gateway(), user)]
      const body = { current_password: user.password, new_password: `another ${randomUUID()}` }
      expect((await own.send(gateway(), 'POST', '/auth/password/change', { body })).status).toBe(200)
      await eventually(async () => {
        for (const url of gateways()) expectProblem(await me(url, other), 'credential_invalid')
      })
      expect((await me(gateway(), own)).status).toBe(200)
    })

    it('of somebody else is neither listed nor ended: the answer is the same as for one that there is not', async () => {
      const outsider = await newUser()
      const own = await Browser.signIn(gateway(), user)
      const theirs = await Browser.signIn(gateway(), outsider)
      expect((await listed(own)).map(({ id }) => id)).toEqual([own.sessionId])
      const [real, made] = await Promise.all(
        [theirs.sessionId, randomUUID()].map((id) => own.send(gateway(), 'DELETE', `/auth/sessions/${id}`)),
      )
      expect({ ...real?.json, request_id: '' }).toEqual({ ...made?.json, request_id: '' })
      expect((await me(gateway(), theirs)).status).toBe(200)
    })
  })

  describe('beside something else', () => {
    const own = forSuite(() => newOrganization())
    let browser: Browser

    beforeEach(async () => {
      browser = await Browser.signIn(gateway(), own.admin)
    })

    it.each<[string, () => Record<string, string>]>([
      ['an organization token', () => ({ authorization: `Bearer ${own.token.token}` })],
      ['a project key', () => ({ 'service-project-key': own.project.key })],
      ['a second session', () => ({ cookie: `${browser.cookie}; ${browser.cookie}` })],
    ])('is never accepted: %s', async (_, more) => {
      const reply = await send(gateway(), 'GET', '/auth/me', {
        headers: { cookie: browser.cookie, ...more() },
      })
      expectProblem(reply, 'multiple_credentials')
    })

    it('is never accepted: an API key', async () => {
      const { credential } = own.admin
      const headers = { cookie: browser.cookie }
      expectProblem(await send(gateway(), 'GET', '/auth/me', { credential, headers }), 'multiple_credentials')
    })

    it('is accepted beside cookies of others, whatever they hold', async () => {
      const cookie = `theme=dark; x; =; bearing_session=brgs_x;  ${browser.cookie} ;__host-bearing_session=y`
      expect((await me(gateway(), { cookie })).status).toBe(200)
    })

    it('is the same user as bearer token, and not a credential anywhere else', async () => {
      const { token } = browser
      const byBearer = await send(gateway(), 'GET', '/auth/me', {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(byBearer.json?.data).toMatchObject({ user_id: own.admin.id, proof: 'session' })
      for (const headers of [
        { authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` },
        { authorization: `Basic ${Buffer.from(`${own.admin.email}:${token}`).toString('base64')}` },
      ])
        expectProblem(await send(gateway(), 'GET', '/auth/me', { headers }), 'credential_malformed')
      expectProblem(await send(gateway(), 'GET', `/auth/me?x=${token}`), 'credential_in_query')
    })

    it('is no credential on routes of devices', async () => {
      const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`
      expectProblem(await browser.send(gateway(), 'POST', path, { body: {} }), 'credential_missing')
    })
  })

  describe('with a request of another site', () => {
    let browser: Browser
    const create = (headers: Record<string, string>) =>
      send(gateway(), 'POST', '/api/v0/organizations', {
        body: { name: 'Forged' },
        headers: { cookie: browser.cookie, ...headers },
      })

    beforeEach(async () => {
      browser = await Browser.signIn(gateway(), user)
    })

    it.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling host', { 'sec-fetch-site': 'same-site' }],
      ['no page', { 'sec-fetch-site': 'none' }],
      ['another origin', { origin: 'https://evil.example' }],
      ['an origin that is hidden', { origin: 'null' }],
      ['an origin that only begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
    ])('is refused, even where the token is right: %s', async (_, headers) => {
      expectProblem(await create({ ...browser.headers, ...headers }), 'csrf_refused')
    })

    it('is refused without the token, with that of another session, and with unknown', async () => {
      const other = await Browser.signIn(gateway(), user)
      expectProblem(await create({}), 'csrf_refused')
      for (const token of ['', 'x', other.csrfToken, browser.token, `${browser.csrfToken} `.repeat(2)])
        expectProblem(await create({ 'x-csrf-token': token }), 'csrf_refused')
      const { cookie } = browser
      const path = `/auth/sessions/${browser.sessionId}`
      expectProblem(await send(gateway(), 'DELETE', path, { headers: { cookie } }), 'csrf_refused')
      expect((await me(gateway(), browser)).status).toBe(200)
    })

    it('is distinguished from a request of the same origin, which is accepted', async () => {
      expect(
        (await browser.send(gateway(), 'POST', '/api/v0/organizations', { body: { name: 'Own' } })).status,
      ).toBe(201)
      // Clients that say nothing of where they come from are no browsers that a site could abuse.
      expect((await create({ 'x-csrf-token': browser.csrfToken })).status).toBe(201)
    })

    it('may read nothing: no reply allows another origin to', async () => {
      const headers = { cookie: browser.cookie, origin: 'https://evil.example' }
      const replies = [
        await send(gateway(), 'GET', '/auth/session', { headers }),
        await send(gateway(), 'OPTIONS', '/auth/session', {
          headers: { ...headers, 'access-control-request-method': 'POST' },
        }),
      ]
      for (const reply of replies)
        expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    })

    it('changes nothing with what a browser caches of Basic either; a program is no browser', async () => {
      const cycle = (headers: Record<string, string>) =>
        send(gateway(), 'POST', '/auth/api_key', {
          credential: { kind: 'user', email: user.email, secret: user.password },
          headers,
        })
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
        expect((await cycle(headers)).json).toMatchObject({ code: 'csrf_refused' })
      expect((await cycle({})).status).toBe(201)
    })

    it('does not sign a browser in', async () => {
      const { email, password } = user
      expectProblem(await signIn(gateway(), user, {}, { origin: 'https://evil.example' }), 'csrf_refused')
      expectProblem(await signIn(gateway(), user, {}, { 'sec-fetch-site': 'cross-site' }), 'csrf_refused')
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
        expectProblem(
          await send(gateway(), 'POST', '/auth/session', {
            body: JSON.stringify({ email, password }),
            headers: { 'content-type': type },
          }),
          'unsupported_media_type',
        )
    })

    it('the token is shown to who has the session, and to nobody else', async () => {
      const shown = await send(gateway(), 'GET', '/auth/session', { headers: { cookie: browser.cookie } })
      expect(shown.json?.data).toMatchObject({ id: browser.sessionId, csrf_token: browser.csrfToken })
      const { credential } = user
      expectProblem(await send(gateway(), 'GET', '/auth/session', { credential }), 'session_not_found')
      expectProblem(await send(gateway(), 'DELETE', '/auth/session', { credential }), 'session_not_found')
    })

    it('scripts of pages are not answered with a challenge that browsers ask for passwords at', async () => {
      const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
      const reply = await send(gateway(), 'GET', '/auth/me', { headers })
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="bearing"'])
    })
  })
})

function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply.json).toMatchObject({ code })
  expect(reply.status).toBe(ERRORS[code].status)
}
