import { ERRORS, isErrorCode } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { queryIdentity } from '../tools/audited.js'
import { basic, headersOf, send, type Reply } from '../tools/http.js'
import { sendUntilClosed } from '../tools/raw-http.js'

/** Fields that the gateway sets, whatever a body has. */
const NOT_OF_THE_BODY = new Set('organization_id project_id user_agent replaces origin browser'.split(' '))
/** Fields that clients of other services send in any form. */
const LENIENT = new Set(['device', 'config'])
/** Those that answer in the shape of others have a suite of their own. */
const NAMES = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].dialect === 'bearing')
/** Parts of look-ups that cost themselves and not the position. */
const OPTIONAL_PARTS = new Set(['device_id', 'confidence', 'reply', 'previousScans'])
const isLookUp = (name: RouteName) => /\/location\/(?:wifi|cell|ground-fix|explain)$/.test(ROUTES[name].path)
const strictFieldsOf = (name: RouteName) =>
  fieldsOf(ROUTES[name]).filter(
    (field) => !LENIENT.has(field) && !(isLookUp(name) && OPTIONAL_PARTS.has(field)),
  )
/** Those that look at a credential. */
const CLOSED = NAMES.filter((name) => needsClaims(ROUTES[name].operation.permission))
const DEVICES = NAMES.filter((name) =>
  /^\/api\/v0\/(upload|device-config|device-claims)/.test(ROUTES[name].path),
)
/** Their project is that of the credential. */
const OF_ONE_PROJECT = NAMES.filter((name) => ROUTES[name].path.startsWith('/v1/location/'))
/** Those that take JSON. */
const WITH_BODY = NAMES.filter(
  (name) =>
    ['POST', 'PUT'].includes(ROUTES[name].method) &&
    !(ROUTES[name] as Route).bytes &&
    fieldsOf(ROUTES[name]).length > 0,
)

describe('bad input', () => {
  const own = forSuite(() => newOrganization())
  let bound: PresentedCredential
  let deriving: PresentedCredential
  const gateway = () => testStack().gatewayUrls[0] ?? ''

  beforeAll(async () => {
    await own.admin.client.call('changeProjectSettings', {
      ...{ organization: own.slug, project: own.project.slug },
      ...{ project_key_may_locate: false, device_claims: 'open' },
    })
    const { token } = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'bound',
      project_ids: [own.project.id],
    })
    bound = { kind: 'organization_token', token }
    const { token: parent } = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'deriving',
      permissions: ['organization-token:derive'],
    })
    deriving = { kind: 'organization_token', token: parent }
  })

  const pathOf = (name: RouteName) =>
    ROUTES[name].path
      .replace(':organization_token_id', own.token.id)
      .replace(':organization', own.slug)
      .replace(':project', own.project.slug)
      .replace(':import_id', own.token.id)
      .replace(':user_id', own.admin.id)
      .replace(':batch', '0')
  const whoMay = (name: RouteName): PresentedCredential => {
    if (DEVICES.includes(name)) return { kind: 'project_key', key: own.project.key }
    if (name === 'deriveOrganizationToken') return deriving
    return OF_ONE_PROJECT.includes(name) ? bound : own.admin.credential
  }
  const ask = (name: RouteName, body: string, headers: Record<string, string> = {}) =>
    send(gateway(), ROUTES[name].method, pathOf(name), { credential: whoMay(name), headers, body })

  it.each(WITH_BODY)('%s: a body that is not JSON', async (name) => {
    for (const body of ['{', '{"a":1}}', 'null x', '\u0000', '{"a":"\ud800"'])
      expectProblem(await ask(name, body), 'malformed_json')
  })

  it.each(WITH_BODY)('%s: a body of another type', async (name) => {
    for (const body of ['[]', '1', '"text"', 'null', 'true'])
      expectProblem(await ask(name, body), 'invalid_input')
  })

  it.each(WITH_BODY.filter((name) => strictFieldsOf(name).length > 0))(
    '%s: fields of wrong types, are all reported together, with their positions',
    async (name) => {
      const fields = strictFieldsOf(name)
      const reply = await ask(
        name,
        JSON.stringify(Object.fromEntries(fields.map((field) => [field, { wrong: [null] }]))),
      )
      expectProblem(reply, 'invalid_input')
      const { errors } = reply.json as unknown as { errors: { pointer: string; detail: string }[] }
      for (const field of fields)
        expect(errors.some(({ pointer }) => pointer.startsWith(`/${field}`))).toBe(true)
    },
  )

  it.each(WITH_BODY)('%s: a body that is too large', async (name) => {
    const tooLarge = JSON.stringify({ filler: 'x'.repeat(ROUTES[name].bodyLimit) })
    expectProblem(await ask(name, tooLarge), 'payload_too_large')
  })

  it.each(WITH_BODY)('%s: another content type', async (name) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ';'])
      expectProblem(await ask(name, '{}', { 'content-type': type }), 'unsupported_media_type')
    expectProblem(await ask(name, '{}', { 'content-encoding': 'gzip' }), 'unsupported_media_type')
  })

  it.each(NAMES)('%s: a credential in the query, which is not repeated', async (name) => {
    const secret = own.token.token
    for (const query of [`access_token=${secret}`, `q=${secret}`, `page=1&TOKEN=x`]) {
      const reply = await send(gateway(), ROUTES[name].method, `${pathOf(name)}?${query}`, {
        credential: own.admin.credential,
      })
      expectProblem(reply, 'credential_in_query')
      expect(reply.text).not.toContain(secret)
    }
  })

  it.each(CLOSED)('%s: made-up, truncated and malformed credentials', async (name) => {
    const { token } = own.token
    const { email } = own.admin
    const refused: [Record<string, string>, string][] = [
      [{ authorization: `Bearer ${token.slice(0, -1)}` }, 'credential_malformed'],
      [{ authorization: `Bearer ${token}x` }, 'credential_malformed'],
      [{ authorization: `Bearer brgo_${'0'.repeat(71)}` }, 'credential_malformed'],
      [{ authorization: `Bearer ${own.admin.apiKey}` }, 'credential_malformed'],
      [{ authorization: 'Bearer' }, 'credential_malformed'],
      [{ authorization: `NotBasicAtAll ${basic(email, own.admin.apiKey).slice(6)}` }, 'credential_malformed'],
      [{ authorization: basic(email, token) }, 'credential_malformed'],
      [{ authorization: basic(email, own.admin.apiKey.slice(0, -1)) }, 'credential_malformed'],
    ]
    for (const [headers, code] of refused)
      expectProblem(await send(gateway(), ROUTES[name].method, pathOf(name), { headers }), code)
  })

  it.each(CLOSED.filter((name) => !ROUTES[name].device))(
    '%s: two credentials in one request, although both are valid',
    async (name) => {
      const headers = { ...headersOf(own.token.credential), 'service-project-key': own.project.key }
      expectProblem(
        await send(gateway(), ROUTES[name].method, pathOf(name), { headers }),
        'multiple_credentials',
      )
    },
  )

  it('two Authorization headers are two credentials: the right one does not carry the wrong one', async () => {
    const right = headersOf(own.token.credential)['authorization'] ?? ''
    for (const [first, second] of [
      [right, 'Bearer brgo_wrong'],
      ['Bearer brgo_wrong', right],
      [right, right],
    ]) {
      const reply = await sendUntilClosed(
        gateway(),
        `GET /auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: ${String(first)}\r\nAuthorization: ${String(second)}\r\nConnection: close\r\n\r\n`,
      )
      expect(reply).toMatch(/^HTTP\/1\.1 400 /)
      expect(reply).toContain('multiple_credentials')
    }
  })

  it('a token in a form body is not looked at', async () => {
    const reply = await send(gateway(), 'POST', '/auth/api_key', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `access_token=${own.token.token}`,
    })
    expectProblem(reply, 'credential_missing')
  })

  it.each([
    ['page=0', '/page'],
    ['per_page=10001', '/per_page'],
    ['per_page=-1', '/per_page'],
    ['per_page=many', '/per_page'],
    ['per_page=1e3', '/per_page'],
    ['page=1&page=2', '/page'],
  ])('a list with ?%s says what is wrong, and never caps silently', async (query, pointer) => {
    const reply = await send(gateway(), 'GET', `/api/v0/organizations/${own.slug}/projects?${query}`, {
      credential: own.token.credential,
    })
    expectProblem(reply, 'invalid_input')
    expect(reply.json?.['errors']).toEqual([{ pointer, detail: expect.any(String) }])
  })

  it.each([
    '/api/v0',
    '/api/v1/organizations',
    '/auth',
    '/v1/organizations',
    '/%zz',
    '/%00',
    `/${'a'.repeat(5_000)}`,
    '/docs/errors/no_such_code',
  ])('nothing at %s', async (path) => {
    expectProblem(await send(gateway(), 'GET', path), path === '/%zz' ? 'invalid_input' : 'route_not_found')
  })

  it('a wrong method says which are allowed', async () => {
    const reply = await send(gateway(), 'PATCH', '/auth/api_key')
    expectProblem(reply, 'method_not_allowed')
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST, DELETE')
  })

  it.each(WITH_BODY)('%s: a body that is nested as deep as its size allows', async (name) => {
    const { bodyLimit, operation, countsEach }: Route = ROUTES[name]
    const depth = Math.floor(bodyLimit / 2) - 100
    const nested = (field: string) => ask(name, `{"${field}":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    for (const field of strictFieldsOf(name)) {
      const reply = await nested(field)
      // A mistake in one item of a list that is counted costs no other item.
      if (field === countsEach)
        expect(reply.json).toMatchObject({ results: [{ error: { code: 'invalid_input' } }] })
      else expectProblem(reply, 'invalid_input')
    }
    // An input that is handed on is not written again: there it is an unknown field.
    const ignored = operation.batched && operation.lenient ? await ask(name, '{}') : undefined
    expectProblem(await nested('unknown'), ignored?.json?.code ?? 'invalid_input')
  })

  it('noise in path, headers and body never makes a 500', async () => {
    const noise = fc.string({ unit: 'binary', maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...NAMES),
        noise,
        noise,
        noise,
        async (name, segment, header, body) => {
          const route: Route = ROUTES[name]
          const path = route.path.replaceAll(
            /:[a-z_]+/g,
            () => encodeURIComponent(segment.replaceAll(/[\ud800-\udfff]/g, '')) || 'x',
          )
          const credential = segment.length % 2 === 0 ? own.admin.credential : own.token.credential
          const reply = await send(gateway(), route.method, path, {
            credential,
            headers: { 'x-request-id': header.replaceAll(/[^\x20-\x7e]/g, '') },
            ...(route.method === 'POST' || route.method === 'PUT' ? { body } : {}),
          })
          expect(reply.status).toBeLessThan(500)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('what is no HTTP gets a short answer and a closed connection', async () => {
    expect(await sendUntilClosed(gateway(), 'GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(await sendUntilClosed(gateway(), `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })
})

describe('credentials that are over', () => {
  const own = forSuite(() => newOrganization())
  let expired: string
  let deleted: string
  const gateway = () => testStack().gatewayUrls[0] ?? ''

  beforeAll(async () => {
    const create = () =>
      own.admin.client.call('createOrganizationToken', { organization: own.slug, description: 'over' })
    const [toExpire, toDelete] = [await create(), await create()]
    expired = toExpire.token
    await queryIdentity(
      `UPDATE organization_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [toExpire.id],
    )
    deleted = toDelete.token
    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: toDelete.id,
    })
  })

  it.each(CLOSED)('%s: an expired and a deleted token', async (name) => {
    const path = ROUTES[name].path.replaceAll(/:[a-z_]+/g, () => own.slug)
    const ask = (token: string) =>
      send(gateway(), ROUTES[name].method, path, { credential: { kind: 'organization_token', token } })
    const [asExpired, asDeleted] = [await ask(expired), await ask(deleted)]
    expectProblem(asExpired, 'credential_expired')
    expectProblem(asDeleted, 'credential_invalid')
    for (const reply of [asExpired, asDeleted])
      expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })
})

describe('scans', () => {
  const own = forSuite(() => newOrganization())
  const locate = (accessPoints: unknown) =>
    send(
      testStack().gatewayUrls[0] ?? '',
      'POST',
      `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`,
      { credential: own.token.credential, body: { accessPoints } },
    )
  const scanned = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      macAddress: (0x02_cc_00_00_00_00 + i * 64).toString(16).padStart(12, '0'),
    }))

  it('may have any number of access points, of which the 256 strongest are used', async () => {
    for (const count of [256, 257, 300]) {
      const reply = await locate(scanned(count))
      expectProblem(reply, 'location_not_found')
      expect(reply.json?.['accessPoints']).toMatchObject({ received: count, usable: 256 })
    }
  })

  it('that cannot be located say why: too few usable, or too few known', async () => {
    const unusable = [
      { macAddress: '00:00:00:00:00:00' },
      { macAddress: 'ff:ff:ff:ff:ff:ff' },
      { macAddress: '01:00:5e:00:00:01' },
    ]
    const twice = [{ macAddress: '02:cc:00:00:00:01' }, { macAddress: '02CC.0000.0001', signalStrength: -40 }]
    expectProblem(await locate([...unusable, ...scanned(1)]), 'too_few_access_points')
    expect((await locate(twice)).json).toMatchObject({ accessPoints: { received: 2, usable: 1 } })
    expect((await locate(scanned(2))).json).toMatchObject({ reason: 'too_few_known' })
  })

  it('are not lost to a malformed address, and say which one where the rest is too little', async () => {
    const malformed = { macAddress: '02:cc:00:00:00' }
    expectProblem(await locate([...scanned(2), malformed]), 'location_not_found')
    const tooFew = await locate([...scanned(1), malformed])
    expectProblem(tooFew, 'too_few_access_points')
    expect(tooFew.json).toMatchObject({ errors: [{ pointer: '/accessPoints/1/macAddress' }] })
  })

  it('with a signal strength out of range are located without it', async () => {
    for (const signalStrength of [0, 20, -500])
      expectProblem(await locate(scanned(2).map((ap) => ({ ...ap, signalStrength }))), 'location_not_found')
  })
})

describe('habits of small clients', () => {
  const own = forSuite(() => newOrganization())
  const gateway = () => testStack().gatewayUrls[0] ?? ''

  it('duplicate slashes, a query that begins with "?&", and no space after the colon', async () => {
    const reply = await sendUntilClosed(
      gateway(),
      `GET //api//v0/organizations/${own.slug}/projects/?&per_page=5000 HTTP/1.1\r\nHost:x\r\nauthorization:Bearer ${own.token.token}\r\nConnection: close\r\n\r\n`,
    )
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(reply).toContain('"per_page":5000')
  })

  it('a POST with Content-Length 0 and no Content-Type', async () => {
    const reply = await sendUntilClosed(
      gateway(),
      `POST /api/v0/organizations/${own.slug}/projects/${own.project.slug}/api_key HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token.token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('JSON with Content-Encoding: utf-8', async () => {
    const reply = await send(
      gateway(),
      'POST',
      `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`,
      {
        credential: own.token.credential,
        headers: { 'content-encoding': 'utf-8' },
        body: { accessPoints: [{ macAddress: '02:00:00:00:00:10' }, { macAddress: '02:00:00:00:02:00' }] },
      },
    )
    expectProblem(reply, 'location_not_found')
  })

  it('replies are HTTP/1.1 with Content-Length, not chunked, with a short status line and few headers', async () => {
    for (const path of ['/auth/me', '/nothing', `/api/v0/organizations/${own.slug}/projects`]) {
      const reply = await sendUntilClosed(
        gateway(),
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token.token}\r\nConnection: close\r\n\r\n`,
      )
      const [statusLine = '', ...headers] = (reply.split('\r\n\r\n')[0] ?? '').split('\r\n')
      expect(statusLine.length).toBeLessThan(128)
      expect(headers.length).toBeLessThan(11)
      expect(headers.join('\n')).toMatch(/^content-length: \d+$/im)
      expect(headers.join('\n')).not.toMatch(/transfer-encoding/i)
    }
  })

  it('who has no credential is refused before anything of the body is read', async () => {
    const head = `POST /api/v0/organizations/${own.slug}/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n`
    for (const credential of ['', 'Authorization: Bearer brgo_made-up\r\n'])
      expect(
        await sendUntilClosed(gateway(), `${head}${credential}Connection: close\r\n\r\n{"name":`),
      ).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('slugs cannot be run together across the parts of an address', async () => {
    const path = (slug: string) => `/api/v0/organizations/${slug}/projects`
    const { credential } = own.token
    await send(gateway(), 'GET', `${path(own.slug)}/${own.project.slug}`, { credential })
    const together = `${own.slug}%2F${own.project.slug}`
    for (const slug of [together, `%2F${together}`, `${String(own.slug.length)}%2F${together}`]) {
      const reply = await send(gateway(), 'GET', path(slug), { credential })
      expectProblem(reply, 'organization_not_found')
    }
  })

  it('every reply carries a request id: the one that was sent, where it is one', async () => {
    const sent = await send(gateway(), 'GET', '/auth/me', { headers: { 'x-request-id': 'trace-me_1.2' } })
    expect(sent.headers.get('x-request-id')).toBe('trace-me_1.2')
    expect(sent.json?.['request_id']).toBe('trace-me_1.2')
    const forged = await send(gateway(), 'GET', '/auth/me', { headers: { 'x-request-id': 'a"b' } })
    expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

/** Fields that come from the body. */
function fieldsOf(route: Route): string[] {
  const { shape } = route.operation.input as unknown as { shape: Record<string, unknown> } // every input is an object
  if (route.signedAddress) return []
  return Object.keys(shape).filter(
    (field) => !NOT_OF_THE_BODY.has(field) && !route.path.includes(`:${field}`) && !(field in route.fixed),
  )
}

function expectProblem(reply: Reply, code: string): void {
  if (!isErrorCode(code)) throw new Error(`${code} is no error code`)
  expect(reply.json).toMatchObject({ code, status: ERRORS[code].status, request_id: expect.any(String) })
  expect(reply.status).toBe(ERRORS[code].status)
}
