import { newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { inTime } from '@bearing/testing/in-time'
import { testStack } from '@bearing/testing/stack'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { basic, send } from '../tools/http.js'

describe('the journey of an organization token', () => {
  let own: TestOrganization
  let other: TestOrganization
  let projects: string
  const gateways = () => testStack().gatewayUrls
  const gateway = () => gateways()[0] ?? ''

  beforeAll(async () => {
    ;[own, other] = await Promise.all([newOrganization(), newOrganization()])
    projects = `/api/v0/organizations/${own.slug}/projects`
  })

  it('is shown once, used, rejected by other organizations, and once deleted rejected by every gateway before its cache entry expires', async () => {
    const credential = { kind: 'user', email: own.admin.email, secret: own.admin.apiKey } as const
    const tokens = `/api/v0/organizations/${own.slug}/auth_tokens`
    const created = await send(gateway(), 'POST', tokens, { credential, body: { description: 'CI' } })
    expect(created.status).toBe(201)
    const { id, token } = created.json?.data as { id: string; token: string }
    expect(token).toMatch(/^brgo_/)

    const listed = await send(gateway(), 'GET', tokens, { credential })
    expect(listed.text).toContain(id)
    expect(listed.text).not.toContain(token)

    const asToken = { credential: { kind: 'organization_token', token } as const }
    for (const url of gateways()) expect((await send(url, 'GET', projects, asToken)).status).toBe(200)
    const elsewhere = await send(gateway(), 'GET', `/api/v0/organizations/${other.slug}/projects`, asToken)
    expect(elsewhere.json).toMatchObject({ code: 'organization_not_found' })

    const deleted = await send(gateway(), 'DELETE', `${tokens}/${id}`, { credential })
    expect(deleted.json?.data).toMatchObject({ id, state: 'deleted' })
    await eventually(async () => {
      for (const url of gateways())
        expect((await send(url, 'GET', projects, asToken)).json).toMatchObject({ code: 'credential_invalid' })
    })
    expect((await send(gateway(), 'GET', tokens, { credential })).text).toContain(id)
  })

  it('works as Basic with an empty user name, as command-line clients send it', async () => {
    const headers = { authorization: basic('', own.token.token) }
    expect((await send(gateway(), 'GET', projects, { headers })).status).toBe(200)
  })

  it('several can be active, and deleting one leaves the others', async () => {
    const [first, second] = await Promise.all([newToken(own), newToken(own)])
    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: first.id,
    })
    await eventually(async () => {
      expect((await send(gateway(), 'GET', projects, { credential: first.credential })).status).toBe(401)
    })
    expect((await send(gateway(), 'GET', projects, { credential: second.credential })).status).toBe(200)
  })

  it("nobody deletes another organization's token", async () => {
    const reply = await send(
      gateway(),
      'DELETE',
      `/api/v0/organizations/${other.slug}/auth_tokens/${own.token.id}`,
      { credential: other.admin.credential },
    )
    expect(reply.json).toMatchObject({ code: 'organization_token_not_found' })
    expect((await send(gateway(), 'GET', projects, { credential: own.token.credential })).status).toBe(200)
  })

  it('is deleted by its id in either case', async () => {
    const token = await newToken(own)
    const path = `/api/v0/organizations/${own.slug}/auth_tokens/${token.id.toUpperCase()}`
    for (const url of gateways()) expect((await send(url, 'GET', projects, token)).status).toBe(200)
    const deleted = await send(gateway(), 'DELETE', path, { credential: own.admin.credential })
    expect(deleted.json?.data).toMatchObject({ id: token.id, state: 'deleted' })
    await eventually(async () => {
      for (const url of gateways()) expect((await send(url, 'GET', projects, token)).status).toBe(401)
    })
  })

  it('is rejected by every gateway as soon as it expires, although gateways cache it', async () => {
    const { credential, statuses, endsMs } = await inTime(async (seconds) => {
      const endsMs = Date.now() + seconds * 1_000
      const { token } = await own.admin.client.call('createOrganizationToken', {
        organization: own.slug,
        description: 'short',
        expires_at: new Date(endsMs).toISOString(),
      })
      const credential = { kind: 'organization_token', token } as const
      const statuses: number[] = []
      for (const url of gateways()) statuses.push((await send(url, 'GET', projects, { credential })).status)
      return { credential, statuses, endsMs }
    })
    expect(new Set(statuses)).toEqual(new Set([200]))
    await sleep(endsMs - Date.now() + 5)
    for (const url of gateways()) {
      const reply = await send(url, 'GET', projects, { credential })
      expect(reply).toMatchObject({ status: 401, json: { code: 'credential_expired' } })
      expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
  })

  it('is rotated with a grace in which every gateway takes the old one and the new one, and then the new one alone', async () => {
    const { before, credential, statuses, endsMs } = await inTime(async (grace_seconds) => {
      const before = await newToken(own)
      const rotated = await send(
        gateway(),
        'POST',
        `/api/v0/organizations/${own.slug}/auth_tokens/${before.id}/rotate`,
        { credential: own.admin.credential, body: { grace_seconds } },
      )
      expect(rotated.status).toBe(201)
      const after = rotated.json?.data as { token: string; replaced: { expires_at: string } }
      const credential = { kind: 'organization_token', token: after.token } as const
      const statuses: number[] = []
      for (const url of gateways())
        for (const one of [before.credential, credential])
          statuses.push((await send(url, 'GET', projects, { credential: one })).status)
      return { before, credential, statuses, endsMs: Date.parse(after.replaced.expires_at) }
    })
    expect(new Set(statuses)).toEqual(new Set([200]))
    await sleep(endsMs - Date.now() + 5)
    for (const url of gateways()) {
      expect((await send(url, 'GET', projects, { credential: before.credential })).json).toMatchObject({
        code: 'credential_expired',
      })
      expect((await send(url, 'GET', projects, { credential })).status).toBe(200)
    }
  })

  it('is rotated by one of two concurrent requests; the other gets 409', async () => {
    const { id } = await newToken(own)
    const path = `/api/v0/organizations/${own.slug}/auth_tokens/${id}/rotate`
    const replies = await Promise.all(
      gateways().map((url) => send(url, 'POST', path, { credential: own.admin.credential, body: {} })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(replies.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'organization_token_conflict',
      reason: 'rotated',
    })
  })

  it('used from an address outside its list is refused by every gateway, and inside it works', async () => {
    const made = async (...allowed_addresses: string[]) => {
      const { token } = await own.admin.client.call('createOrganizationToken', {
        organization: own.slug,
        description: 'bound',
        allowed_addresses,
      })
      return { kind: 'organization_token', token } as const
    }
    const elsewhere = await made('192.0.2.0/24', '2001:db8::/32')
    const here = await Promise.all([
      made('192.0.2.0/24', '127.0.0.0/8'),
      made('127.0.0.1'),
      made('::ffff:127.0.0.1/128'),
    ])
    // Nobody is a trusted proxy, so what a client says of its own address does not count.
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    for (const url of gateways()) {
      for (let times = 0; times < 2; times++) {
        const refused = await send(url, 'GET', projects, { credential: elsewhere, headers })
        expect(refused.json).toMatchObject({ code: 'address_not_allowed', status: 403 })
        expect(refused.json?.['detail']).toContain('127.0.0.1')
      }
      for (const credential of here)
        expect((await send(url, 'GET', projects, { credential })).status).toBe(200)
    }
  })

  it('accepts at most 64 IP addresses and ranges, and reports each invalid one', async () => {
    const create = (allowed_addresses: string[]) =>
      send(gateway(), 'POST', `/api/v0/organizations/${own.slug}/auth_tokens`, {
        credential: own.admin.credential,
        body: { description: 'bound', allowed_addresses },
      })
    const ranges = (count: number) => Array.from({ length: count }, (_, i) => `10.0.${String(i)}.0/24`)
    expect((await create(ranges(64))).status).toBe(201)
    expect((await create(ranges(65))).json).toMatchObject({ errors: [{ pointer: '/allowed_addresses' }] })
    // As the API itself writes a token without ranges.
    expect((await create([])).json?.data).toMatchObject({ allowed_addresses: [] })
    expect((await create(['10.0.0.0/8', '10.0.0.0/33', 'anywhere'])).json).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/allowed_addresses/1' }, { pointer: '/allowed_addresses/2' }],
    })
    expect((await create(['10.1.2.3/8', '::ffff:10.0.0.0/104'])).json?.data).toMatchObject({
      allowed_addresses: ['10.0.0.0/8'],
    })
  })

  it('cannot be created with more than a token may have, or without end of its use in the past', async () => {
    const create = (body: object) =>
      send(gateway(), 'POST', `/api/v0/organizations/${own.slug}/auth_tokens`, {
        credential: own.admin.credential,
        body,
      })
    const tooMuch = await create({
      description: 'x',
      permissions: ['location:resolve', 'organization-token:create'],
    })
    expect(tooMuch.json).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/permissions/1' }] })
    const past = await create({ description: 'x', expires_at: '2020-01-01T00:00:00Z' })
    expect(past.json).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/expires_at' }] })
  })
})
