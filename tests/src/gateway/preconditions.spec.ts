import { randomUUID } from 'node:crypto'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { send, type Reply } from '../tools/http.js'
import { sendRaw } from '../tools/raw-http.js'

const gateway = () => testStack().gatewayUrls[0] ?? ''
const etagOf = ({ headers }: Reply) => headers.get('etag') ?? ''

describe('a request with more than one Host header', () => {
  it('is refused with 400 on every kind of route, because proxies may have read the other one', async () => {
    for (const path of ['/auth/me', '/docs', '/api/v0/chunks/A', '/nothing']) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`
      const { status, body } = await sendRaw(gateway(), bytes, { end: true })
      expect([path, status, body]).toEqual([path, 400, expect.stringContaining('more than one Host')])
    }
  })
})

describe('preconditions of requests', () => {
  const own = forSuite(() => newOrganization())
  let serial: string

  beforeAll(async () => {
    serial = randomUUID()
    await own.token.client.call('registerDevice', {
      organization: own.slug,
      project: own.project.slug,
      device_serial: serial,
    })
  })

  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    send(gateway(), method, path, { credential: own.admin.credential, headers, ...(body && { body }) })

  /** Every resource of an organization that has one path for reading and changing it. */
  function resources(): { path: string; change: object }[] {
    const organization = `/api/v0/organizations/${own.slug}`
    const project = `${organization}/projects/${own.project.slug}`
    const name = randomUUID()
    return [
      { path: project, change: { name } },
      { path: `${project}/devices/${serial}`, change: { nickname: name } },
      { path: `${project}/settings`, change: { project_key_may_locate: true } },
      {
        path: `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/position_policy`,
        change: { store_positions: true, retention_days: 3 },
      },
      { path: `${organization}/auth_token_policy`, change: { max_lifetime_days: 300 } },
    ]
  }
  const methodOf = (path: string) =>
    (Object.values(ROUTES) as Route[]).find(
      ({ method, path: pattern }) =>
        (method === 'PATCH' || method === 'PUT') &&
        new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
    )?.method ?? ''

  it('every single resource has a strong ETag, and a client that has it gets 304', async () => {
    for (const { path } of resources()) {
      const reply = await ask('GET', path)
      expect([path, reply.status, etagOf(reply)]).toEqual([path, 200, expect.stringMatching(/^"[\w-]{22}"$/)])
      for (const tag of [etagOf(reply), `"other", W/${etagOf(reply)}`, '*'])
        expect(await ask('GET', path, { 'if-none-match': tag })).toMatchObject({ status: 304, text: '' })
      expect((await ask('GET', path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('a change with the ETag of a former state is 412 and changes nothing; with the current one it is made', async () => {
    for (const { path, change } of resources()) {
      const method = methodOf(path)
      const before = await ask('GET', path)
      for (const tag of ['"of-yesterday"', `W/${etagOf(before)}`])
        expect(await ask(method, path, { 'if-match': tag }, change)).toMatchObject({
          status: 412,
          json: { code: 'precondition_failed' },
        })
      for (const tag of [etagOf(before), '*'])
        expect((await ask(method, path, { 'if-none-match': tag }, change)).status).toBe(412)
      expect((await ask('GET', path)).text).toBe(before.text)
      const changed = await ask(method, path, { 'if-match': `"x", ${etagOf(before)}` }, change)
      expect([path, changed.status]).toEqual([path, 200])
      expect((await ask(method, path, { 'if-match': etagOf(before) }, change)).status).toBe(412)
      expect((await ask(method, path, { 'if-match': '*' }, change)).status).toBe(200)
      // Without a precondition nothing is demanded: 428 exists nowhere.
      expect((await ask(method, path, {}, change)).status).toBe(200)
    }
  })

  it('a deletion with the ETag of a former state deletes nothing', async () => {
    const path = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}/devices/${serial}`
    const refused = await ask('DELETE', path, { 'if-match': '"of-yesterday"' })
    expect(refused.status).toBe(412)
    expect((await ask('GET', path)).status).toBe(200)
  })

  it('If-Match fails where nothing can be read at the path, and says nothing about others', async () => {
    const path = `/api/v0/organizations/${own.slug}/auth_tokens/${own.token.id}`
    expect((await ask('DELETE', path, { 'if-match': '*' })).status).toBe(412)
    const other = await newMember(await newOrganization(), 'admin')
    const foreign = await send(gateway(), 'PATCH', `/api/v0/organizations/${own.slug}`, {
      credential: other.credential,
      headers: { 'if-match': '*' },
      body: { name: 'Taken' },
    })
    expect(foreign).toMatchObject({ status: 404, json: { code: 'organization_not_found' } })
  })

  it('If-Unmodified-Since is evaluated where a resource has a time of its last change, and ignored elsewhere', async () => {
    const past = new Date(0).toUTCString()
    for (const { path, change } of resources()) {
      const before = await ask('GET', path)
      const modified = before.headers.get('last-modified')
      const reply = await ask(methodOf(path), path, { 'if-unmodified-since': past }, change)
      expect([path, reply.status]).toEqual([path, modified === null ? 200 : 412])
    }
  })

  it('If-Match holds exactly with the ETag of GET, on every route that changes what a GET reads', async () => {
    const routes = Object.values(ROUTES) as Route[]
    const templateOf = (route: Route) => pathTemplate(route).template
    const readable = new Set(
      routes
        .filter((route) => route.method === 'GET' && route.envelope === 'data' && !route.hasController)
        .map(templateOf),
    )
    const changing = routes
      .filter((route) => route.method !== 'GET' && !route.hasController && readable.has(templateOf(route)))
      // The resource that is deleted last contains all others.
      .sort(
        (a, b) =>
          Number(a.method === 'DELETE') - Number(b.method === 'DELETE') || b.path.length - a.path.length,
      )
    const one = await newOrganization()
    const { admin, slug, project } = one
    const at = { organization: slug, project: project.slug }
    const device_serial = randomUUID()
    await admin.client.call('registerDevice', { ...at, device_serial })
    const { id: webhook_id } = await admin.client.call('createWebhook', {
      ...at,
      url: 'https://example.com/',
    })
    const parameters: Readonly<Record<string, string>> = { ...at, device_serial, webhook_id }
    // The API key is one of the resources.
    const credential = { kind: 'user', email: admin.email, secret: admin.password } as const
    const missing: string[] = []
    for (const route of changing) {
      const path = templateOf(route).replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => parameters[name] ?? randomUUID(),
      )
      const request = (tag: string) =>
        send(gateway(), route.method, path, {
          ...{ credential, headers: { 'if-match': tag } },
          ...(route.method !== 'DELETE' && { body: {} }),
        })
      const shown = await send(gateway(), 'GET', path, { credential })
      const label = `${route.method} ${route.path}`
      expect([label, (await request('"of-yesterday"')).status]).toEqual([label, 412])
      if (shown.status === 404) missing.push(route.path)
      else expect([label, (await request(etagOf(shown))).status]).not.toEqual([label, 412])
    }
    // Made with an upload, or with an identity provider.
    for (const path of missing) expect(path).toMatch(/:file_id|:connection_id/)
    expect(changing.length).toBeGreaterThan(20)
  })
})
