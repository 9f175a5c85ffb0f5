import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { send } from '../tools/http.js'
import { newScimToken, scimClient, type SendScim } from '../tools/scim-client.js'
import { connect, gateway, link, projects } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

const USERS = 10_000
const PAGE = 200

describe('SCIM', () => {
  const provider = forSuite(() => FakeProvider.start())
  let organization: TestOrganization
  let connectionId: string
  let domain: string
  let scim: SendScim

  beforeEach(async () => {
    organization = await newOrganization()
    domain = `d-${randomUUID()}.example`
    connectionId = await connect(organization, provider)
    await queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
      [organization.id, domain],
    )
    scim = scimClient(gateway(), organization, connectionId, await newScimToken(organization, connectionId))
  })

  const create = async (userName: string) => {
    const { status, json } = await scim('POST', '/Users', { userName, active: true })
    expect(status).toBe(201)
    return String(json['id'])
  }
  const setActive = (id: string, active: boolean) =>
    scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'active', value: active }] })
  const emails = async () => {
    const members = await organization.admin.client.listAll('listMembers', {
      organization: organization.slug,
    })
    return members.map(({ email }) => email)
  }

  it('takes a token that is bound to one connection there only, also after its rotation', async () => {
    const other = await connect(organization, provider)
    const { id, token } = await organization.admin.client.call('createOrganizationToken', {
      organization: organization.slug,
      description: 'SCIM',
      permissions: ['scim:provision'],
      scim_connection_id: other,
    })
    const rotated = await organization.admin.client.call('rotateOrganizationToken', {
      organization: organization.slug,
      organization_token_id: id,
    })
    expect(rotated.scim_connection_id).toBe(other)
    for (const bound of [token, rotated.token]) {
      expect((await scimClient(gateway(), organization, other, bound)('GET', '/Users')).status).toBe(200)
      const elsewhere = scimClient(gateway(), organization, connectionId, bound)
      expect((await elsewhere('GET', '/Users')).status).toBe(404)
      expect((await elsewhere('POST', '/Users', { userName: 'ada' })).status).toBe(404)
    }
    const unbound = scimClient(gateway(), organization, other, await newScimToken(organization))
    expect((await unbound('GET', '/Users')).status).toBe(200)
  })

  it('binds no token to a connection of somebody else, and none that does not push', async () => {
    const elsewhere = await newOrganization()
    const create = (permissions: ('scim:provision' | 'project:list')[], to: TestOrganization) =>
      to.admin.client.call('createOrganizationToken', {
        ...{ organization: to.slug, description: 'SCIM', permissions, scim_connection_id: connectionId },
      })
    await expect(create(['scim:provision'], elsewhere)).rejects.toMatchObject({
      code: 'sso_connection_not_found',
    })
    await expect(create(['project:list'], organization)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('shows with dry_run what a push would change, and changes nothing', async () => {
    const member = await newMember(organization, 'member')
    await queryIdentity('UPDATE users SET email = $1 WHERE id = $2', [`ada@${domain}`, member.id])
    const created = await scim('POST', '/Users?dry_run=true', { userName: `eve@${domain}`, active: true })
    expect(created).toMatchObject({
      status: 200,
      json: { changes: [], resource: { userName: `eve@${domain}` } },
    })
    expect((await scim('GET', '/Users')).json).toMatchObject({ totalResults: 0 })
    const id = await create(`ada@${domain}`)
    const shown = await scim('DELETE', `/Users/${id}?dry_run=true`)
    expect(shown).toMatchObject({
      status: 200,
      json: {
        resource: null,
        changes: [{ before: { email: `ada@${domain}`, role: 'member' }, after: null }],
      },
    })
    expect(await emails()).toContain(`ada@${domain}`)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(200)
    const audited = await queryIdentity(
      `SELECT 1 FROM audit_log WHERE organization_id = $1 AND action = 'membership.removed'`,
      [organization.id],
    )
    expect(audited).toEqual([])
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await emails()).not.toContain(`ada@${domain}`)
  })

  it('keeps a leaver out who accepts an invitation at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `invited-${String(round)}@${domain}`
      const id = await create(email)
      const { id: invitation } = await organization.admin.client.call('createInvitation', {
        ...{ organization: organization.slug, email, role: 'member' },
      })
      const secret = randomUUID().replaceAll('-', '').padEnd(43, 'x')
      await queryIdentity(`UPDATE invitations SET secret_hash = sha256($1::bytea) WHERE id = $2`, [
        secret,
        invitation,
      ])
      const [left, accepted] = await Promise.all([
        setActive(id, false),
        send(gateway(), 'POST', '/auth/invitations/accept', {
          body: { secret, password: 'four words nobody guesses' },
        }),
      ])
      expect(left.status).toBe(200)
      expect([200, 404, 410]).toContain(accepted.status)
      expect(await emails()).not.toContain(email)
    }
  })

  it('keeps a leaver out who signs in at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `joins-${String(round)}@${domain}`
      const id = await create(email)
      provider.person = { sub: randomUUID(), email, email_verified: true }
      const browser = new SsoBrowser(gateway())
      const [left] = await Promise.all([setActive(id, false), browser.signIn(connectionId)])
      expect(left.status).toBe(200)
      await eventually(async () => {
        expect((await browser.send('GET', projects(organization))).status).not.toBe(200)
      })
      expect(await emails()).not.toContain(email)
    }
  })

  it('refuses a leaver at every gateway, with session and API key, and lets nobody else go', async () => {
    const [leaver, stays] = [await newMember(organization, 'member'), await newMember(organization, 'member')]
    provider.person = { sub: randomUUID() }
    const browser = await link(leaver, connectionId)
    const id = await create(leaver.email)
    const reach = (at: string, by: typeof leaver) =>
      send(at, 'GET', projects(organization), { credential: by.credential })
    for (const at of testStack().gatewayUrls) expect((await reach(at, leaver)).status).toBe(200)
    await setActive(id, false)
    for (const at of testStack().gatewayUrls) {
      await eventually(async () => {
        expect((await reach(at, leaver)).status).toBe(404)
      })
      expect((await reach(at, stays)).status).toBe(200)
    }
    await eventually(async () => {
      expect((await browser.send('GET', projects(organization))).status).toBe(401)
    })
  })

  it('pages through 10,000 users in the same time per page, and finds one by each filter', async () => {
    await queryIdentity(
      `INSERT INTO scim_resources (id, organization_id, connection_id, type, name, external_id, email, attributes, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'User', 'u' || n || '@' || $3, 'x' || n, 'u' || n || '@' || $3,
              jsonb_build_object('userName', 'u' || n || '@' || $3, 'displayName', 'User ' || n), now(), now()
       FROM generate_series(1, $4::int) n`,
      [organization.id, connectionId, domain, USERS],
    )
    const members = await queryIdentity(`SELECT id FROM scim_resources WHERE connection_id = $1 LIMIT 5000`, [
      connectionId,
    ])
    const group = await scim('POST', '/Groups', {
      displayName: 'Everyone',
      members: members.map(({ id }) => ({ value: String(id) })),
    })
    expect(group.status).toBe(201)
    const seen = new Set<string>()
    const pageMs: number[] = []
    for (let start = 1; start <= USERS; start += PAGE) {
      const began = performance.now()
      const { json } = await scim('GET', `/Users?startIndex=${String(start)}&count=${String(PAGE)}`)
      pageMs.push(performance.now() - began)
      expect(json).toMatchObject({ totalResults: USERS, itemsPerPage: PAGE })
      for (const { id } of json['Resources'] as { id: string }[]) seen.add(id)
    }
    expect(seen.size).toBe(USERS)
    const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
    const [first, last] = [median(pageMs.slice(0, 15)), median(pageMs.slice(-15))]
    expect(last).toBeLessThan(3 * first + 50)
    const name = `u9876@${domain}`
    for (const filter of [
      `userName eq "${name.toUpperCase()}"`,
      `externalId eq "x9876"`,
      `emails.value eq "${name}"`,
      'displayName eq "User 9876"',
    ]) {
      const began = performance.now()
      const { json } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, json['totalResults']]).toEqual([filter, 1])
      expect(performance.now() - began).toBeLessThan(1_000)
    }
    process.stdout.write(`SCIM page: ${first.toFixed(1)} ms first, ${last.toFixed(1)} ms last\n`)
  })
})
