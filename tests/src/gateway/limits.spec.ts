import { randomBytes } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken, newUser } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { send, type Reply, type Sent } from '../tools/http.js'

const WRONG_PER_ADDRESS = 4
const REQUESTS = 40
const PASSWORDS = 2
const OUTSIDERS = 30

describe('limits that two gateways share', () => {
  const stack = stackForSuite({
    redis: true,
    postgres: 'own',
    environment: {
      gateway: {
        TRUSTED_PROXIES: '127.0.0.1',
        REQUESTS_OF_STRANGERS: String(OUTSIDERS),
      },
    },
    constants: {
      gateway: { FAILED_CREDENTIALS_PER_ADDRESS: WRONG_PER_ADDRESS, REQUESTS_PER_CREDENTIAL: REQUESTS },
      identity: { PASSWORD_ATTEMPTS: PASSWORDS },
    },
  })
  const own = forSuite(() => newOrganization(stack))
  let addresses = 0

  it('an address that sends many requests without a credential is limited; other addresses, and requests with a credential, are not', async () => {
    const report = (address: string, gateway: number) =>
      send(stack.gatewayUrls[gateway] ?? '', 'POST', '/leaks', {
        body: { secret: 'unknown' },
        headers: { 'x-forwarded-for': address },
      })
    const address = newAddress()
    const statuses = []
    for (let i = 0; i <= OUTSIDERS; i++) statuses.push((await report(address, i % 2)).status)
    expect(statuses).toEqual([...Array.from({ length: OUTSIDERS }, () => 200), 429])
    expect((await report(newAddress(), 0)).status).toBe(200)
    expect((await ask(own.token.credential, address)).status).toBe(200)
  })

  it('people who wait for their command-line logins behind one address keep nobody there from signing in', async () => {
    const address = newAddress()
    const post = (path: string, body: object, from = address) =>
      send(stack.gatewayUrls[0] ?? '', 'POST', path, { body, headers: { 'x-forwarded-for': from } })
    const codes = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const { json } = await post('/auth/login', { host: 'laptop' })
        return (json?.data as { device_code: string }).device_code // identity has validated it
      }),
    )
    const poll = (device_code: unknown, from = address) => post('/auth/login/token', { device_code }, from)
    const polls: Reply[] = []
    for (let times = 0; times < 10; times++)
      polls.push(...(await Promise.all(codes.map((code) => poll(code)))))
    expect(new Set(polls.map(({ json }) => json?.code))).toEqual(
      new Set(['authorization_pending', 'slow_down']),
    )
    const signIn = { email: 'colleague@example.com', password: 'not the password' }
    expect((await post('/auth/session', signIn)).status).toBe(401)
    // One login has a limit of its own, wherever it is polled from.
    const own: Reply[] = []
    for (let times = 0; times < 30; times++) own.push(await poll(codes[0], newAddress()))
    expect(own.at(-1)?.json).toMatchObject({ code: 'rate_limited' })
    // Logins that do not exist count as anonymous requests.
    const guesses: number[] = []
    for (let guess = 0; guess <= OUTSIDERS; guess++)
      guesses.push((await poll(randomBytes(32).toString('base64url'), '192.0.2.77')).status)
    expect(guesses.at(-1)).toBe(429)
    expect(guesses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('password resets and sign-ins of an address have limits of their own', async () => {
    const address = newAddress()
    const post = (path: string, body: object) =>
      send(stack.gatewayUrls[0] ?? '', 'POST', path, { body, headers: { 'x-forwarded-for': address } })
    for (let times = 0; times <= OUTSIDERS; times++)
      await post('/auth/password/reset-request', { email: 'x@example.com' })
    expect((await post('/auth/password/reset-request', { email: 'x@example.com' })).status).toBe(429)
    expect((await post('/auth/session', { email: 'x@example.com', password: 'wrong password' })).status).toBe(
      401,
    )
  })

  it('an address is one client whatever port a proxy writes after it', async () => {
    const [address, other] = [newAddress(), newAddress()]
    const askFrom = (port: number) => ask(wrongKey(), `${address}:${String(port)}`)
    for (let i = 0; i < WRONG_PER_ADDRESS; i++) expect((await askFrom(10_000 + i)).status).toBe(401)
    expect((await askFrom(20_000)).json).toMatchObject({ code: 'rate_limited' })
    expect((await ask(wrongKey(), address)).json).toMatchObject({ code: 'rate_limited' })
    expect((await ask(wrongKey(), `${other}:10000`)).status).toBe(401)
  })

  it('wrong passwords of a sign-in count like any other wrong credential of an address', async () => {
    const address = newAddress()
    const signIn = () =>
      send(stack.gatewayUrls[0] ?? '', 'POST', '/auth/session', {
        body: { email: `${randomBytes(6).toString('hex')}@example.com`, password: 'not the password' },
        headers: { 'x-forwarded-for': address },
      })
    for (let i = 0; i < WRONG_PER_ADDRESS; i++) expect((await signIn()).status).toBe(401)
    expect((await signIn()).json).toMatchObject({ code: 'rate_limited' })
  })

  const newAddress = () => `198.51.100.${String(++addresses)}`
  const wrongKey = () => ({ kind: 'project_key', key: randomBytes(16).toString('hex') }) as const

  const ask = (credential: Sent['credential'], address: string, gateway = 0) =>
    send(stack.gatewayUrls[gateway] ?? '', 'GET', '/auth/me', {
      credential,
      headers: { 'x-forwarded-for': address },
    })
  const askAsDevice = (credential: Sent['credential'], address: string) =>
    send(
      stack.gatewayUrls[0] ?? '',
      'POST',
      `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`,
      {
        credential,
        headers: { 'x-forwarded-for': address },
        body: { accessPoints: [{ macAddress: '02:00:00:00:00:10' }, { macAddress: '02:00:00:00:02:00' }] },
      },
    )
  async function failOften(address: string): Promise<void> {
    for (let i = 0; i < WRONG_PER_ADDRESS; i++)
      expect((await ask(wrongKey(), address, i % 2)).json).toMatchObject({ code: 'credential_invalid' })
  }

  function expectLimited(reply: Reply, status: number): void {
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status,
      json: { code: 'rate_limited', status, error: { http_code: status } },
    })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }

  it('refuse an address that fails too often, before identity is asked', async () => {
    const address = newAddress()
    await failOften(address)
    await stack.part('identity').stop()
    try {
      for (const gateway of [0, 1]) {
        const reply = await ask(wrongKey(), address, gateway)
        expectLimited(reply, 429)
        expect(reply.headers.get('ratelimit-policy')).toBe(
          `"failed-credentials";q=${String(WRONG_PER_ADDRESS)};w=600`,
        )
        expect(reply.headers.get('ratelimit')).toMatch(/^"failed-credentials";r=0;t=[1-9]\d*$/)
      }
      // Callers that did not fail are not limited: they receive 503.
      expect((await ask(wrongKey(), newAddress())).json).toMatchObject({ code: 'service_unavailable' })
    } finally {
      await stack.part('identity').start()
    }
  })

  it('respond with 503 to a device and 429 to a person', async () => {
    const address = newAddress()
    await failOften(address)
    expectLimited(await askAsDevice(wrongKey(), address), 503)
    expectLimited(await ask(wrongKey(), address), 429)
  })

  it('count one wrong credential once, however often it comes', async () => {
    const address = newAddress()
    const broken = wrongKey()
    for (let i = 0; i < WRONG_PER_ADDRESS * 3; i++) await ask(broken, address)
    expect((await ask(wrongKey(), address)).json).toMatchObject({ code: 'credential_invalid' })
  })

  it('ask identity about a repeated wrong credential at most once a second', async () => {
    const address = newAddress()
    const broken = wrongKey()
    const asked = async () =>
      Number(
        /^bearing_cache_lookups_total\{cache="credentials",outcome="miss"\} (\d+)/m.exec(
          await stack.metrics('gateway-1'),
        )?.[1],
      )
    const [before, startedMs] = [await asked(), performance.now()]
    for (let i = 0; i < 200; i++)
      expect((await ask(broken, address)).json).toMatchObject({ code: 'credential_invalid' })
    const seconds = (performance.now() - startedMs) / 1_000
    expect((await asked()) - before).toBeGreaterThan(0)
    expect((await asked()) - before).toBeLessThanOrEqual(seconds + 1)
  })

  it('count each wrong upload address as an anonymous request, a repeated one before management is asked; right ones still work', async () => {
    const address = newAddress()
    const put = (path: string, from: string) =>
      send(stack.gatewayUrls[0] ?? '', 'PUT', path, { body: 'bytes', headers: { 'x-forwarded-for': from } })
    for (let i = 0; i < OUTSIDERS; i++)
      expect((await put('/api/v0/uploads/wrong', address)).json).toMatchObject({ code: 'upload_url_invalid' })
    // Devices put files there, and take each 4xx for final.
    expectLimited(await put('/api/v0/uploads/wrong', address), 503)
    const key = { kind: 'project_key', key: own.project.key } as const
    const prepared = await send(stack.gatewayUrls[0] ?? '', 'POST', '/api/v0/upload', { credential: key })
    const { upload_url: url } = prepared.json?.data as { upload_url: string }
    expect((await put(new URL(url).pathname, address)).status).toBe(200)
    await stack.part('management').stop()
    try {
      expectLimited(await put('/api/v0/uploads/wrong', address), 503)
      expect((await put('/api/v0/uploads/wrong', newAddress())).json).toMatchObject({
        code: 'service_unavailable',
      })
    } finally {
      await stack.part('management').start()
    }
  })

  it('do not take credentials that have expired for guesses: a fleet with old tokens locks nobody out', async () => {
    const address = newAddress()
    const expired = []
    for (let i = 0; i < WRONG_PER_ADDRESS * 2; i++) expired.push(await newToken(own, stack))
    const database = new pg.Client(stack.databaseUrls.identity)
    await database.connect()
    await database.query(
      `UPDATE organization_tokens SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)`,
      [expired.map(({ id }) => id)],
    )
    await database.end()
    for (const [i, { credential }] of expired.entries())
      expect((await ask(credential, address, i % 2)).json).toMatchObject({ code: 'credential_expired' })
    expect((await ask(wrongKey(), address)).json).toMatchObject({ code: 'credential_invalid' })
  })

  it('let credentials that are in use pass from an address that fails too often', async () => {
    const address = newAddress()
    const { credential } = await newToken(own, stack)
    expect((await ask(credential, address)).status).toBe(200)
    await failOften(address)
    expect((await ask(credential, address)).status).toBe(200)
  })

  it('bound the requests of a credential over both gateways, and announce it', async () => {
    const address = newAddress()
    const { credential } = await newToken(own, stack)
    const first = await ask(credential, address)
    expect(first.headers.get('ratelimit-policy')).toBe(`"credential";q=${String(REQUESTS)};w=60`)
    expect(first.headers.get('ratelimit')).toBe(`"credential";r=${String(REQUESTS - 1)};t=60`)
    for (let i = 1; i < REQUESTS; i++) expect((await ask(credential, address, i % 2)).status).toBe(200)
    for (const gateway of [0, 1]) expectLimited(await ask(credential, address, gateway), 429)
  })

  it('count a project key for each address automatically: a whole fleet shares it', async () => {
    const key = { kind: 'project_key', key: own.project.key } as const
    const runaway = newAddress()
    for (let i = 0; i < REQUESTS; i++) await askAsDevice(key, runaway)
    expectLimited(await askAsDevice(key, runaway), 503)
    expect((await askAsDevice(key, newAddress())).json).not.toMatchObject({ code: 'rate_limited' })
  })

  it('slow down passwords with 429, not 401', async () => {
    // Every other guess comes by another gateway. All concurrently, and with another address again where that took longer than the
    // first wait, which is a second.
    const limited = await eventually(
      async () => {
        const { email } = await newUser(stack)
        const address = newAddress()
        const replies = await Promise.all(
          Array.from({ length: PASSWORDS + 2 }, (_, n) =>
            ask({ kind: 'user', email, secret: `wrong password ${String(n)}` }, address, n % 2),
          ),
        )
        expect(replies.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429])
        const refused = replies.find(({ status }) => status === 429)
        if (!refused) throw new Error('there is one')
        return refused
      },
      { withinMs: 60_000 },
    )
    expectLimited(limited, 429)
    expect(limited.headers.get('www-authenticate')).toBeNull()
  })

  it('open for requests and close for passwords while their store is gone, and work again when it is back', async () => {
    const { credential } = await newToken(own, stack)
    const user = await newUser(stack)
    const byPassword = () => ask({ kind: 'user', email: user.email, secret: user.password }, newAddress())
    await stack.part('redis').kill()
    for (const gateway of [0, 1]) expect((await ask(credential, newAddress(), gateway)).status).toBe(200)
    const unknown = { kind: 'user', email: 'nobody@example.com', secret: 'a password of nobody' } as const
    const refused = await ask(unknown, newAddress())
    expect(refused.json).toMatchObject({ code: 'service_unavailable', status: 503 })
    expect(refused.headers.get('retry-after')).toBe('1')
    await stack.part('redis').start()
    await eventually(async () => expect((await ask(unknown, newAddress())).status).toBe(401), {
      withinMs: 60_000,
      everyMs: 100,
    })
    expect((await byPassword()).status).toBe(200)
  })
})
