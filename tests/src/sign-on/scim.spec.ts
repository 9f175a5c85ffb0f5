import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn, queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { send } from '../tools/http.js'
import { newScimToken, scimClient, type ScimAnswer, type SendScim } from '../tools/scim-client.js'
import {
  connect,
  expectProblem,
  expectRefused,
  gateway,
  gateways,
  projects,
} from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const MEDIA = 'application/scim+json; charset=utf-8'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

type Json = Readonly<Record<string, unknown>>
describe('SCIM', () => {
  const provider = forSuite(() => FakeProvider.start())
  const organization = forSuite(() => newOrganization())
  let connectionId: string
  let token: string
  let domain: string

  beforeAll(async () => {
    domain = `d-${randomUUID()}.example`
    connectionId = await connect(organization, provider)
    await verify(domain)
    await verify(domainOf(organization.admin.email))
    token = await newScimToken(organization)
    await setMapping()
  })

  beforeEach(() => {
    provider.person = { sub: randomUUID() }
  })

  const domainOf = (email: string) => email.slice(email.indexOf('@') + 1)
  const verify = (verified: string) =>
    queryIdentity(
      `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now()) ON CONFLICT DO NOTHING`,
      [organization.id, verified],
    )
  const setMapping = () =>
    organization.admin.client.call('changeSsoConnection', {
      organization: organization.slug,
      connection_id: connectionId,
      role_mapping: {
        claim: 'groups',
        rules: [
          { value: 'Platform', role: 'admin' },
          { value: 'Firmware', projects: [{ project_id: organization.project.id, role: 'manager' }] },
        ],
        fallback: { projects: [] },
      },
    })
  const scim: SendScim = (...request) => scimClient(gateway(), organization, connectionId, token)(...request)
  const find = async (type: string, filter: string) => {
    const { status, json } = await scim('GET', `/${type}?filter=${encodeURIComponent(filter)}`)
    expect(status).toBe(200)
    return json as { totalResults: number; Resources: Json[] }
  }
  const create = async (type: string, body: object) => {
    const created = await scim('POST', `/${type}`, body)
    expect(created.status).toBe(201)
    return String(created.json['id'])
  }
  const patch = (path: string, ...Operations: object[]) =>
    scim('PATCH', path, { schemas: [PATCH_OP], Operations })
  const memberOf = async (email: string) => {
    const members = await organization.admin.client.listAll('listMembers', {
      organization: organization.slug,
    })
    return members.find((member) => member.email === email)
  }
  const expectError = (
    { status, headers, json }: ScimAnswer,
    expected: { status: number; scimType?: string },
  ) => {
    expect([status, headers.get('content-type')]).toEqual([expected.status, MEDIA])
    expect(json).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ...expected,
      status: String(expected.status),
      detail: expect.any(String),
    })
  }

  it('says what it can: capabilities, schemas and resource types, each also by its id', async () => {
    const config = await scim('GET', '/ServiceProviderConfig')
    expect(config.headers.get('content-type')).toBe(MEDIA)
    expect(config.json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    })
    for (const [path, id] of [
      ['/Schemas', USER],
      ['/Schemas', GROUP],
      ['/ResourceTypes', 'User'],
      ['/ResourceTypes', 'Group'],
    ] as const) {
      expect((await scim('GET', path)).json).toMatchObject({ totalResults: 2 })
      expect((await scim('GET', `${path}/${id}`)).json).toMatchObject({ id })
    }
    expectError(await scim('GET', '/Schemas/none'), { status: 404 })
    expectError(await scim('GET', '/Devices'), { status: 404 })
  })

  it('takes the requests of Okta, from the test of the connection to the deactivation', async () => {
    const userName = `okta-${randomUUID()}@${domain}`
    expect((await scim('GET', '/Users?startIndex=1&count=2')).json).toMatchObject({ startIndex: 1 })
    expect(await find('Users', `userName eq "${userName}"`)).toMatchObject({ totalResults: 0, Resources: [] })
    const created = await scim('POST', '/Users', {
      schemas: [USER],
      userName,
      name: { givenName: 'Ada', familyName: 'Okta' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Ada Okta',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    })
    const id = String(created.json['id'])
    const location = `${gateway()}/scim/v2/organizations/${organization.slug}/${connectionId}/Users/${id}`
    expect([created.status, created.headers.get('location')]).toEqual([201, location])
    expect(created.json).toMatchObject({
      ...{ schemas: [USER], userName, active: true, externalId: '00ujl29u0le5T6Aj10h7', groups: [] },
      meta: { resourceType: 'User', location, version: created.headers.get('etag') },
    })
    expect(JSON.stringify(created.json)).not.toContain('1mz050nq')
    expect((await scim('GET', `/Users/${id}`)).json).toEqual(created.json)
    const replaced = await scim('PUT', `/Users/${id}`, {
      ...{ schemas: [USER], id, userName, active: true },
      name: { givenName: 'Another', familyName: 'Name' },
    })
    expect(replaced.json).toMatchObject({ name: { givenName: 'Another' } })
    const deactivated = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect([deactivated.status, deactivated.json['active']]).toEqual([200, false])
    const group = await create('Groups', { schemas: [GROUP], displayName: `Okta ${id}`, members: [] })
    await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: id, display: userName }] })
    expect((await scim('GET', `/Groups/${group}`)).json).toMatchObject({ members: [{ value: id }] })
    await patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${id}"]` })
    expect((await scim('GET', `/Groups/${group}`)).json).toMatchObject({ members: [] })
    await patch(`/Groups/${group}`, { op: 'replace', value: { id: group, displayName: `Renamed ${id}` } })
    expect(await find('Groups', `displayName eq "Renamed ${id}"`)).toMatchObject({ totalResults: 1 })
    expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204)
    expectError(await scim('GET', `/Groups/${group}`), { status: 404 })
  })

  it('takes the requests of Entra ID, with its names of operations, texts for booleans, and paths', async () => {
    const [mail, externalId] = [`entra-${randomUUID()}@${domain}`, randomUUID()]
    expect(await find('Users', `externalId eq "${externalId}"`)).toMatchObject({ totalResults: 0 })
    const id = await create('Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId,
      userName: `UPN-${mail}`,
      active: true,
      emails: [{ primary: true, type: 'work', value: mail }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Grace Entra', familyName: 'Entra', givenName: 'Grace' },
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'R&D' },
    })
    expect(await find('Users', `userName eq "upn-${mail.toUpperCase()}"`)).toMatchObject({ totalResults: 1 })
    const changed = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${mail}` },
      { op: 'Replace', path: 'name.familyName', value: 'Changed' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: 'x' },
      { op: 'Add', value: { displayName: 'Grace', 'name.givenName': 'G' } },
    )
    expect(changed.json).toMatchObject({
      emails: [{ type: 'work', value: `new-${mail}`, primary: true }],
      name: { familyName: 'Changed', givenName: 'G' },
      displayName: 'Grace',
    })
    const group = await create('Groups', {
      schemas: [GROUP],
      externalId: randomUUID(),
      displayName: `Entra ${id}`,
    })
    await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })
    const memberships = `id eq "${group}" and members eq "${id}"`
    expect(await find('Groups', memberships)).toMatchObject({ totalResults: 1 })
    const without = await scim('GET', `/Groups/${group}?excludedAttributes=members`)
    expect(without.json).not.toHaveProperty('members')
    await patch(`/Groups/${group}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })
    expect(await find('Groups', memberships)).toMatchObject({ totalResults: 0 })
    const disabled = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(disabled.json).toMatchObject({ active: false })
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expectError(await scim('DELETE', `/Users/${id}`), { status: 404 })
  })

  it('answers wrong requests as RFC 7644 says', async () => {
    const userName = `${randomUUID()}@${domain}`
    const id = await create('Users', { schemas: [USER], userName })
    expectError(await scim('POST', '/Users', { userName: userName.toUpperCase() }), {
      status: 409,
      scimType: 'uniqueness',
    })
    expectError(await scim('POST', '/Users', { schemas: [USER] }), { status: 400, scimType: 'invalidValue' })
    for (const filter of [
      'userName',
      'userName eq ada',
      'userName co "a"',
      'title eq "x"',
      'userName eq "a" or id eq "b"',
    ])
      expectError(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`), {
        status: 400,
        scimType: 'invalidFilter',
      })
    expectError(await scim('PATCH', `/Users/${id}`, {}), { status: 400, scimType: 'invalidSyntax' })
    expectError(await patch(`/Users/${id}`, { op: 'remove' }), { status: 400, scimType: 'noTarget' })
    expectError(await patch(`/Users/${id}`, { op: 'add', path: 'a b[', value: 1 }), {
      status: 400,
      scimType: 'invalidPath',
    })
    expectError(await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: 'maybe' }), {
      status: 400,
      scimType: 'invalidValue',
    })
    for (const wrong of ['x', randomUUID()])
      expectError(await scim('GET', `/Users/${wrong}`), { status: 404 })
  })

  it('has ETags: an unchanged resource is 304, and a write that expects another version is 412', async () => {
    const id = await create('Users', { userName: `${randomUUID()}@${domain}` })
    const etag = (await scim('GET', `/Users/${id}`)).headers.get('etag') ?? ''
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    const change = { Operations: [{ op: 'replace', path: 'displayName', value: 'A' }] }
    expect((await scim('PATCH', `/Users/${id}`, change, { 'if-match': etag })).status).toBe(200)
    expectError(await scim('PATCH', `/Users/${id}`, change, { 'if-match': etag }), { status: 412 })
  })

  it('lists each of many users on exactly one page', async () => {
    const own = `page-${randomUUID()}`
    await queryIdentity(
      `INSERT INTO scim_resources (id, organization_id, connection_id, type, name, attributes, group_ids, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'User', $3 || n, jsonb_build_object('userName', $3 || n), '{}', now(), now()
       FROM generate_series(1, 450) n`,
      [organization.id, connectionId, own],
    )
    const names: unknown[] = []
    let total = Infinity
    for (let start = 1; start <= total; start += 200) {
      const { json } = await scim('GET', `/Users?startIndex=${String(start)}&count=200`)
      total = Number(json['totalResults'])
      names.push(...(json['Resources'] as Json[]).map(({ userName }) => userName))
    }
    expect(names.filter((name) => String(name).startsWith(own))).toHaveLength(450)
    expect(new Set(names).size).toBe(total)
    expect((await scim('GET', '/Users?count=0')).json).toMatchObject({ totalResults: total, Resources: [] })
  })

  describe('a user who was pushed', () => {
    const signIn = async (email: string) => {
      provider.person = { sub: provider.person.sub, email, email_verified: true }
      const browser = new SsoBrowser(gateway())
      return { browser, reply: await browser.signIn(connectionId) }
    }

    it('joins at the first sign-in with the roles of their groups, which change with the next push', async () => {
      const email = `${randomUUID()}@${domain}`
      const firmware = await create('Groups', { displayName: 'Firmware' })
      expectRefused((await signIn(email)).reply, 'sso_access_denied')
      const id = await create('Users', { userName: email })
      await patch(`/Groups/${firmware}`, { op: 'add', path: 'members', value: [{ value: id }] })
      expect((await signIn(email)).reply.status).toBe(302)
      expect(await memberOf(email)).toMatchObject({
        ...{ role: 'member', connection_id: connectionId },
        projects: [{ project_id: organization.project.id, role: 'manager' }],
      })
      await patch(`/Groups/${firmware}`, { op: 'remove', path: 'members', value: [{ value: id }] })
      expect(await memberOf(email)).toMatchObject({ role: 'member', projects: [] })
      const platform = await create('Groups', { displayName: 'Platform', members: [{ value: id }] })
      expect(await memberOf(email)).toMatchObject({ role: 'admin' })
      expect((await scim('DELETE', `/Groups/${platform}`)).status).toBe(204)
      expect(await memberOf(email)).toMatchObject({ role: 'member' })
      expect((await scim('DELETE', `/Groups/${firmware}`)).status).toBe(204)
    })

    it('loses membership, sessions and API key for the organization at every gateway when deactivated, and comes back when activated', async () => {
      const user = await newMember(organization, 'member')
      await verify(domainOf(user.email))
      await queryIdentity(
        `INSERT INTO sso_identities (id, user_id, connection_id, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, now())`,
        [randomUUID(), user.id, connectionId, provider.issuer, provider.person.sub],
      )
      const id = await create('Users', { userName: user.email })
      const { browser, reply } = await signIn(user.email)
      expect(reply.status).toBe(302)
      for (const url of gateways())
        expect((await send(url, 'GET', projects(organization), user)).status).toBe(200)
      expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200)
      await eventually(async () => {
        for (const url of gateways()) {
          expectProblem(await send(url, 'GET', projects(organization), user), 'organization_not_found')
          const headers = { cookie: browser.cookie ?? '' }
          expectProblem(await send(url, 'GET', projects(organization), { headers }), 'credential_invalid')
        }
      })
      expect(await auditedIn('identity', organization)).toContainEqual(
        expect.objectContaining({
          action: 'membership.removed',
          target: `user:${user.id}`,
          actor_kind: 'organization_token',
        }),
      )
      expectRefused((await signIn(user.email)).reply, 'sso_access_denied')
      await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
      expect((await signIn(user.email)).reply.status).toBe(302)
      expect(await memberOf(user.email)).toMatchObject({ role: 'member' })
      expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
      expect(await memberOf(user.email)).toBeUndefined()
    })

    it('is not the last admin who is deactivated', async () => {
      const { email } = organization.admin
      const id = await create('Users', { userName: email })
      expectError(await patch(`/Users/${id}`, { op: 'replace', value: { active: false } }), { status: 409 })
      expect(await memberOf(email)).toMatchObject({ role: 'admin' })
      expect((await scim('GET', `/Users/${id}`)).json).toMatchObject({ active: true })
    })

    it('stays a member, with the same role, where the provider may not speak for the address', async () => {
      const contractor = await newMember(organization, 'member')
      const email = `${randomUUID()}@elsewhere.example`
      await queryIdentity('UPDATE users SET email = $1 WHERE id = $2', [email, contractor.id])
      const id = await create('Users', { userName: email })
      const platform = await create('Groups', { displayName: 'Platform', members: [{ value: id }] })
      expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200)
      expect(await memberOf(email)).toMatchObject({ role: 'member' })
      expect((await scim('DELETE', `/Groups/${platform}`)).status).toBe(204)
    })

    it('does not come back by an invitation from before the deactivation', async () => {
      const email = `${randomUUID()}@${domain}`
      const { client } = organization.admin
      const of = { organization: organization.slug }
      const invitation = await client.call('createInvitation', { ...of, email, role: 'member' })
      const id = await create('Users', { userName: email })
      expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200)
      const shown = await client.listAll('listInvitations', of)
      expect(shown.find((one) => one.id === invitation.id)?.state).not.toBe('open')
    })

    it('has no session after a sign-in and a deactivation together, whichever is first', async () => {
      for (let round = 0; round < 4; round++) {
        provider.person = { sub: randomUUID() }
        const email = `${randomUUID()}@${domain}`
        const id = await create('Users', { userName: email })
        const [{ browser }, off] = await Promise.all([
          signIn(email),
          patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
        ])
        expect(off.status).toBe(200)
        expect(await memberOf(email)).toBeUndefined()
        await eventually(async () => {
          const headers = { cookie: browser.cookie ?? '' }
          expect((await send(gateway(), 'GET', projects(organization), { headers })).status).toBe(401)
        })
      }
    })
  })

  it('is reached by a token that can do nothing else, for its own organization alone', async () => {
    const credential = { kind: 'organization_token', token } as const
    expectProblem(await send(gateway(), 'GET', projects(organization), { credential }), 'permission_denied')
    const elsewhere = await newOrganization()
    const path = (slug: string) => `/scim/v2/organizations/${slug}/${connectionId}/Users`
    expect((await send(gateway(), 'GET', path(elsewhere.slug), { credential })).status).toBe(404)
    const other = { kind: 'organization_token', token: await newScimToken(elsewhere) } as const
    expect((await send(gateway(), 'GET', path(elsewhere.slug), { credential: other })).status).toBe(404)
    expect((await send(gateway(), 'GET', path(organization.slug), organization.admin)).status).toBe(403)
    expect((await send(gateway(), 'GET', path(organization.slug))).status).toBe(401)
  })
})
