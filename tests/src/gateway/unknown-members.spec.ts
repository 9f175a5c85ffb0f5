import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { send, type Reply } from '../tools/http.js'

const routeOf = (name: RouteName): Route => ROUTES[name]
/**
 * Routes that no device calls. Signed URLs have no input besides their token; symbols are kept with all that is sent beside; a token endpoint
 * must ignore parameters that it does not know (RFC 6749 §3.2).
 */
const STRICT = (Object.keys(ROUTES) as RouteName[]).filter(
  (name) =>
    !routeOf(name).operation.lenient &&
    !routeOf(name).signedAddress &&
    name !== 'commitSymbols' &&
    routeOf(name).dialect !== 'oauth',
)
const takesBody = (name: RouteName) => !['GET', 'DELETE'].includes(routeOf(name).method)
/** For sessions alone: another credential is refused before the input is read. */
const OF_SESSIONS: readonly RouteName[] = [
  'beginLink',
  'showPartnerTeam',
  'createPartnerOrganization',
  'requestPartnerLink',
]

const own = forSuite(() => newOrganization())
let deriving: PresentedCredential
const gateway = () => testStack().gatewayUrls[0] ?? ''

beforeAll(async () => {
  const { token } = await own.admin.client.call('createOrganizationToken', {
    organization: own.slug,
    description: 'deriving',
    permissions: ['organization-token:derive'],
  })
  deriving = { kind: 'organization_token', token }
})

const pathOf = (name: RouteName) =>
  routeOf(name)
    .path.replace(/:organization(?=\/|$)/, own.slug)
    .replace(/:project(?=\/|$)/, own.project.slug)
    .replaceAll(/:[a-z_]+/g, own.token.id)

const credentialFor = (name: RouteName): PresentedCredential | undefined => {
  if (name === 'deriveOrganizationToken') return deriving
  return needsClaims(routeOf(name).operation.permission) ? own.admin.credential : undefined
}

const ask = (name: RouteName, { query = '', body }: { query?: string; body?: unknown }) =>
  send(gateway(), routeOf(name).method, pathOf(name) + query, {
    credential: credentialFor(name),
    headers: { origin: gateway() },
    ...(body !== undefined && { body }),
  })

function pointersOf(reply: Reply): string[] {
  const { errors = [] } = (reply.json ?? {}) as { errors?: { pointer: string }[] }
  return errors.map(({ pointer }) => pointer)
}

function expectRefused(reply: Reply, pointer: string): void {
  expect([reply.status, reply.json?.code]).toEqual([400, 'invalid_input'])
  expect(pointersOf(reply)).toContain(pointer)
}

describe('a member that an operation does not have', () => {
  it.each(STRICT.filter((name) => !OF_SESSIONS.includes(name)))(
    '%s: is refused with its place',
    async (name) => {
      const sent = takesBody(name) ? { body: { no_such_member: true } } : { query: '?no_such_member=true' }
      expectRefused(await ask(name, sent), '/no_such_member')
    },
  )

  it.each(STRICT.filter((name) => !OF_SESSIONS.includes(name) && routeOf(name).method !== 'GET'))(
    '%s: is refused where the route does not look, in the query or the body',
    async (name) => {
      const sent = takesBody(name)
        ? { query: '?expires_at=2027-01-31', body: {} }
        : { body: { before: '2027-01-31' } }
      expectRefused(await ask(name, sent), takesBody(name) ? '/expires_at' : '/before')
    },
  )

  it('changes nothing, and the answer says which one may be meant', async () => {
    const organization = `/api/v0/organizations/${own.slug}`
    const { id, token } = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'misspelled',
    })
    const refused = [
      ['POST', '/auth_tokens', { description: 'x', expire_at: '2027-01-31T00:00:00Z' }, 'expires_at'],
      ['POST', '/auth_tokens', { description: 'x', projects: [own.project.id] }, 'project_ids'],
      ['POST', '/auth_tokens', { description: 'x', project_id: own.project.id }, undefined],
      ['POST', '/auth_tokens', { description: 'x', scopes: ['project:read'] }, undefined],
      ['POST', '/auth_tokens', { description: 'x', allowed_ips: ['192.0.2.1'] }, undefined],
      ['PUT', '/sign_in_policy', { second_factor_requried: true }, 'second_factor_required'],
      ['POST', `/auth_tokens/${id}/rotate`, { grace: 86_400 }, 'grace_seconds'],
      ['POST', `/projects/${own.project.slug}/webhooks`, { url: 'https://x.example/', event: [] }, 'events'],
    ] as const
    for (const [method, path, body, meant] of refused) {
      const reply = await send(gateway(), method, organization + path, {
        credential: own.admin.credential,
        body,
      })
      expect([path, reply.status, reply.json?.code]).toEqual([path, 400, 'invalid_input'])
      if (meant !== undefined) expect(reply.text).toContain(`did you mean \\"${meant}\\"?`)
    }
    const { data } = await own.admin.client.call('listOrganizationTokens', { organization: own.slug, q: 'x' })
    expect(data).toEqual([])
    const still = await send(gateway(), 'GET', `${organization}/projects`, {
      credential: { kind: 'organization_token', token },
    })
    expect(still.status).toBe(200)
  })

  it('is ignored where devices send, whose firmware is never all the same', async () => {
    const { key } = own.project
    const credential: PresentedCredential = { kind: 'project_key', key }
    const more = { firmware: 7, uptime_ns: 1 }
    const config = await send(gateway(), 'POST', '/api/v0/device-config?build=7', {
      credential,
      body: { ...more, device: { device_serial: 'LENIENT-1', ...more } },
    })
    expect(config.status).toBe(200)
    const release = await send(gateway(), 'GET', '/api/v0/releases/latest?device_serial=LENIENT-1&new=1', {
      credential,
    })
    expect(release.status).toBe(204)
  })
})

describe('a field of the path', () => {
  it('may be repeated in the body, but not contradicted', async () => {
    const path = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    const rename = (body: object) =>
      send(gateway(), 'PATCH', path, {
        credential: own.admin.credential,
        body: { name: 'Repeated', ...body },
      })
    const other = await newOrganization()
    expect((await rename({ organization_id: own.id, project_id: own.project.id })).status).toBe(200)
    expectRefused(await rename({ organization_id: other.id }), '/organization_id')
    expectRefused(await rename({ project_id: other.project.id }), '/project_id')
  })
})

describe('a number that a double does not hold', () => {
  it.each(STRICT.filter((name) => takesBody(name) && !OF_SESSIONS.includes(name)))(
    '%s: is refused with its place, and an integer beyond 2^53 is to be sent as text',
    async (name) => {
      expectRefused(await ask(name, { body: '{"a":{"b":1e400}}' }), '/a/b')
      const integer = await ask(name, { body: '{"iccid":8988303000000614227}' })
      expectRefused(integer, '/iccid')
      expect(integer.text).toContain('sent as text')
    },
  )

  it('turns no policy off, and deletes no attribute', async () => {
    const organization = `/api/v0/organizations/${own.slug}`
    const project = `${organization}/projects/${own.project.slug}`
    const { credential } = own.admin
    const put = (body: unknown) =>
      send(gateway(), 'PUT', `${organization}/auth_token_policy`, { credential, body })
    await put({ max_lifetime_days: 30 })
    expectRefused(await put('{"max_lifetime_days":1e400}'), '/max_lifetime_days')
    const policy = await send(gateway(), 'GET', `${organization}/auth_token_policy`, { credential })
    expect(policy.json?.data).toMatchObject({ max_lifetime_days: 30 })
    await put({ max_lifetime_days: null })
    await send(gateway(), 'PUT', `${project}/device-attributes/voltage`, {
      credential,
      body: { type: 'number' },
    })
    await send(gateway(), 'POST', `${project}/devices`, { credential, body: { device_serial: 'N1' } })
    const patch = (body: unknown) => send(gateway(), 'PATCH', `${project}/devices/N1`, { credential, body })
    await patch({ attributes: { voltage: 3.3 } })
    expectRefused(await patch('{"attributes":{"voltage":1e400}}'), '/attributes/voltage')
    const device = await send(gateway(), 'GET', `${project}/devices/N1`, { credential })
    expect(device.json?.data).toMatchObject({ attributes: { voltage: 3.3 } })
  })

  it('costs a device nothing where it is not used', async () => {
    const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`
    const scan = '"accessPoints":[{"macAddress":"02:cc:00:00:00:01"},{"macAddress":"02:cc:00:00:02:00"}]'
    const locate = (body: string) => send(gateway(), 'POST', path, { credential: own.token.credential, body })
    const reply = await locate(`{"elapsedRealtimeNanos":99007199254740993,${scan}}`)
    expect(reply.json?.code).toBe('location_not_found')
    expectRefused(await locate(`{"elapsedRealtimeNanos":1e400,${scan}}`), '/elapsedRealtimeNanos')
  })
})
