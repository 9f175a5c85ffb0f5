import { randomUUID } from 'node:crypto'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import {
  createPartnerConnection,
  deletePartnerConnection,
  assignPartnerOrganization,
} from '@bearing/contracts/identity/sso/partner'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newUser } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn, auditedOf, fillOrganizations, untoldOf, queryIdentity } from '../tools/audited.js'
import { send } from '../tools/http.js'
import { FakeProvider, type Person } from '../tools/fake-provider.js'
import { change, expectProblem, expectRefused, gateway, gateways, link } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

interface Organization {
  readonly id: string
  readonly slug: string
  readonly name: string
}

describe("a partner's console", () => {
  const provider = forSuite(() => FakeProvider.start())
  let connectionId: string
  let team: { readonly team_id: string; readonly team_name: string }

  beforeAll(async () => {
    connectionId = await connectPartner()
  })

  beforeEach(() => {
    team = { team_id: randomUUID(), team_name: `Team ${randomUUID()}` }
  })

  async function connectPartner(): Promise<string> {
    const { id } = await callAsOperator(createPartnerConnection, {
      name: 'Cloud console',
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      team_id_claim: 'team_id',
      team_name_claim: 'team_name',
    })
    return id
  }

  const somebody = (): Person => ({
    sub: randomUUID(),
    email: `${randomUUID()}@example.org`,
    email_verified: true,
    ...team,
  })

  /** Comes from the console. */
  async function signIn(person: Person = somebody()): Promise<SsoBrowser> {
    provider.person = person
    const browser = new SsoBrowser(gateway())
    const reply = await browser.signIn(connectionId)
    if (reply.status !== 302) throw new Error(reply.text)
    return browser
  }

  const create = async (browser: SsoBrowser) => {
    const reply = await change(browser, 'POST', '/auth/partner_team/create')
    expect(reply.status).toBe(200)
    return reply.json?.data as Organization
  }
  const organizationsOf = async (browser: SsoBrowser) =>
    (await browser.send('GET', '/api/v0/organizations')).json?.data as Organization[]

  it('asks a team without an organization once, and creates one with its name and a project "default"', async () => {
    const person = somebody()
    const browser = await signIn(person)
    expect((await browser.send('GET', '/auth/partner_team')).json?.data).toEqual({
      name: team.team_name,
      organization_id: null,
      requested_organization_id: null,
    })
    expect(await organizationsOf(browser)).toEqual([])
    const organization = await create(browser)
    expect(organization.name).toBe(team.team_name)
    await eventually(async () => {
      const { json } = await browser.send('GET', `/api/v0/organizations/${organization.slug}/projects`)
      expect(json?.data).toMatchObject([{ slug: 'default', name: 'default' }])
    })
    const key = await browser.send(
      'GET',
      `/api/v0/organizations/${organization.slug}/projects/default/api_key`,
    )
    expect(key.json?.data).toMatchObject({ api_key: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect((await browser.send('GET', '/auth/me')).json?.data).toMatchObject({
      email: person.email,
      grants: [{ organization_id: organization.id, role: 'admin' }],
    })
    expect((await browser.send('GET', '/auth/partner_team')).json?.data).toMatchObject({
      organization_id: organization.id,
    })
    expect(await auditedIn('identity', organization)).toContainEqual(
      expect.objectContaining({ action: 'partner_team.founded' }),
    )
    expect(await untoldOf(organization)).toEqual([])
  })

  it("lands who comes later in the team's organization, as a member", async () => {
    const organization = await create(await signIn())
    const later = await signIn()
    expect((await later.send('GET', '/auth/me')).json?.data).toMatchObject({
      sso: { connection_id: connectionId, organization_id: organization.id },
      grants: [{ organization_id: organization.id, role: 'member' }],
    })
    expect(await organizationsOf(later)).toMatchObject([{ id: organization.id }])
  })

  it('lets the second person of a team see its devices on the location dashboard, until an admin takes the role away', async () => {
    const admin = await signIn()
    const organization = await create(admin)
    const person = somebody()
    const second = await signIn(person)
    const location = `/v1/organizations/${organization.slug}/projects/default/location`
    await eventually(async () => {
      expect((await second.send('GET', `${location}/positions/latest`)).status).toBe(200)
    })
    expect((await second.send('GET', `${location}/position_policy`)).status).toBe(200)
    const projects = `/api/v0/organizations/${organization.slug}/projects`
    expect((await second.send('GET', projects)).json?.data).toMatchObject([{ slug: 'default' }])
    const { user_id } = (await second.send('GET', '/auth/me')).json?.data as { user_id: string }
    expect((await change(admin, 'DELETE', `${projects}/default/members/${user_id}`)).status).toBe(200)
    const again = await signIn(person)
    expectProblem(await again.send('GET', `${location}/positions/latest`), 'project_not_found')
  })

  it('lets people of a linked team see the project that the admin names, and of no other organization', async () => {
    const organization = await newOrganization()
    const other = await newOrganization()
    const browser = await signIn()
    await change(browser, 'POST', '/auth/partner_team/link', { organization: organization.slug })
    const { data } = await organization.admin.client.call('listPartnerLinks', {
      organization: organization.slug,
    })
    const call = { organization: organization.slug, partner_link_id: data[0]?.id ?? '' }
    await expect(
      organization.admin.client.call('confirmPartnerLink', { ...call, join_project_id: other.project.id }),
    ).rejects.toMatchObject({ code: 'project_not_found' })
    await organization.admin.client.call('confirmPartnerLink', {
      ...call,
      join_project_id: organization.project.id,
    })
    const location = `/v1/organizations/${organization.slug}/projects/${organization.project.slug}/location`
    for (const person of [browser, await signIn()])
      await eventually(async () => {
        expect((await person.send('GET', `${location}/positions/latest`)).status).toBe(200)
      })
  })

  it('gives a team one organization with one project, however many choose concurrently and ask again', async () => {
    const browsers = [await signIn(), await signIn(), await signIn()]
    const created = await Promise.all(browsers.map(create))
    expect(new Set(created.map(({ id }) => id)).size).toBe(1)
    const [organization] = created
    expect(await create(browsers[0] ?? (await signIn()))).toEqual(organization)
    const rows = await queryIdentity(
      'SELECT role FROM memberships WHERE organization_id = $1 ORDER BY role',
      [organization?.id],
    )
    expect(rows.map(({ role }) => role)).toEqual(['admin', 'member', 'member'])
    const keys = await queryIdentity('SELECT 1 FROM project_keys WHERE organization_id = $1', [
      organization?.id,
    ])
    expect(keys).toHaveLength(1)
  })

  it('is no way back for a member who was removed: their session ends with the membership', async () => {
    const admin = await signIn()
    const organization = await create(admin)
    const later = await signIn()
    const { user_id } = (await later.send('GET', '/auth/me')).json?.data as { user_id: string }
    const path = `/api/v0/organizations/${organization.slug}/members/${user_id}`
    await eventually(async () => {
      expect((await change(admin, 'DELETE', path)).status).toBe(200)
    })
    await eventually(async () => {
      expect((await later.send('GET', '/auth/me')).status).toBe(401)
    })
    expect((await later.send('GET', '/auth/partner_team')).status).toBe(401)
  })

  it('who is in as many organizations as a user may be creates none, and is let into the one that somebody else of the team creates', async () => {
    const browser = await signIn()
    const { user_id } = (await browser.send('GET', '/auth/me')).json?.data as { user_id: string }
    await fillOrganizations(user_id)
    const refused = await change(browser, 'POST', '/auth/partner_team/create')
    expectProblem(refused, 'too_many_organizations')
    const organization = await create(await signIn())
    expect(await create(browser)).toMatchObject({ id: organization.id })
  })

  it('finishes what a crash after the grants has left undone, when somebody of the team asks again', async () => {
    const browser = await signIn()
    const [row] = await queryIdentity(
      `UPDATE partner_teams SET organization_id = $2, project_id = $3 WHERE team_id = $1 RETURNING *`,
      [team.team_id, randomUUID(), randomUUID()],
    )
    expect(await create(browser)).toMatchObject({ id: row?.['organization_id'], name: team.team_name })
  })

  it('makes nobody an admin of an organization that has members already, whatever id management names', async () => {
    const victim = await newOrganization()
    const browser = await signIn()
    const session = browser.cookie?.split('=')[1] ?? ''
    const connection = await connectNats({ url: testStack().natsUrl, name: 'management' })
    try {
      const client = new NatsClient(connection)
      const seen = await client.call(introspectCredential, {
        kind: 'session',
        token: session,
        audience: 'management',
      })
      if (!seen.active) throw new Error('the session is not valid')
      const ids = { founded_organization_id: victim.id, founded_project_id: randomUUID() }
      await expect(
        client.call(assignPartnerOrganization, ids, { claims: seen.claims }),
      ).rejects.toMatchObject({
        code: 'permission_denied',
      })
    } finally {
      await connection.drain()
    }
    const members = await queryIdentity('SELECT user_id FROM memberships WHERE organization_id = $1', [
      victim.id,
    ])
    expect(members).toEqual([{ user_id: victim.admin.id }])
    // The team has still to choose.
    expect((await create(browser)).name).toBe(team.team_name)
  })

  it('links an organization that there is only when an admin of it confirms', async () => {
    const organization = await newOrganization()
    const { admin, slug } = organization
    const browser = await signIn()
    const asked = await change(browser, 'POST', '/auth/partner_team/link', { organization: slug })
    expect(asked.json?.data).toMatchObject({
      organization_id: null,
      requested_organization_id: organization.id,
    })
    const path = `/api/v0/organizations/${slug}/projects`
    expectProblem(await browser.send('GET', path), 'organization_not_found')
    expectProblem(await (await signIn()).send('GET', path), 'organization_not_found')
    const { data } = await admin.client.call('listPartnerLinks', { organization: slug })
    expect(data).toMatchObject([{ team_name: team.team_name, partner: 'Cloud console' }])
    const call = { organization: slug, partner_link_id: data[0]?.id ?? '' }
    const member = await newMember(organization, 'member')
    await expect(member.client.call('confirmPartnerLink', call)).rejects.toMatchObject({
      code: 'permission_denied',
    })
    const outsider = await newOrganization()
    await expect(
      outsider.admin.client.call('confirmPartnerLink', { ...call, organization: outsider.slug }),
    ).rejects.toMatchObject({ code: 'partner_link_not_found' })
    await admin.client.call('confirmPartnerLink', call)
    await eventually(async () => {
      expect(await browser.send('GET', path)).toMatchObject({ status: 200 })
    })
    expect(await organizationsOf(await signIn())).toMatchObject([{ id: organization.id }])
    expectProblem(
      await change(browser, 'POST', '/auth/partner_team/link', { organization: outsider.slug }),
      'partner_team_linked',
    )
  })

  it('is linked as the admin has seen it: not where somebody else asks by then, or the team is called otherwise', async () => {
    const { admin, slug } = await newOrganization()
    const ask = async (browser: SsoBrowser) =>
      change(browser, 'POST', '/auth/partner_team/link', { organization: slug })
    const listed = async () => (await admin.client.call('listPartnerLinks', { organization: slug })).data[0]
    const confirm = (id = '') =>
      admin.client.call('confirmPartnerLink', { organization: slug, partner_link_id: id })
    await ask(await signIn())
    const first = await listed()
    const other = await signIn()
    await ask(other)
    const second = await listed()
    expect(second?.requested_by).not.toBe(first?.requested_by)
    await expect(confirm(first?.id)).rejects.toMatchObject({ code: 'partner_link_not_found' })
    team = { ...team, team_name: `Renamed ${randomUUID()}` }
    await signIn()
    await expect(confirm(second?.id)).rejects.toMatchObject({ code: 'partner_link_not_found' })
    const third = await listed()
    expect(third).toMatchObject({ team_name: team.team_name, requested_by: second?.requested_by })
    await signIn()
    await confirm(third?.id)
    await eventually(async () => {
      expect(await organizationsOf(other)).toMatchObject([{ slug }])
    })
  })

  it('writes nothing into the log of an organization that its people ask for, however often; only what its admins answer is there', async () => {
    const [asked, other] = await Promise.all([newOrganization(), newOrganization()])
    const browser = await signIn()
    const ask = async (organization: string) =>
      expect((await change(browser, 'POST', '/auth/partner_team/link', { organization })).status).toBe(200)
    for (const organization of [asked, other, asked, asked]) await ask(organization.slug)
    const list = async () =>
      (await asked.admin.client.call('listPartnerLinks', { organization: asked.slug })).data
    const [link] = await list()
    await ask(asked.slug)
    expect(await list()).toEqual([link])
    const recorded = async (organization: { readonly id: string }) =>
      (await auditedIn('identity', organization)).filter(({ action }) => action.startsWith('partner_link.'))
    expect([await recorded(asked), await recorded(other)]).toEqual([[], []])
    const { user_id } = (await browser.send('GET', '/auth/me')).json?.data as { user_id: string }
    const requests = (await auditedOf({ id: user_id })).filter(
      ({ action }) => action === 'partner_link.requested',
    )
    expect(requests).toHaveLength(3)
    const call = { organization: asked.slug, partner_link_id: link?.id ?? '' }
    await asked.admin.client.call('refusePartnerLink', call)
    expect(await recorded(asked)).toMatchObject([
      { action: 'partner_link.refused', details: { team: team.team_name, requested_by: user_id } },
    ])
  })

  it('lets nobody in whose link was refused', async () => {
    const { admin, slug } = await newOrganization()
    const browser = await signIn()
    await change(browser, 'POST', '/auth/partner_team/link', { organization: slug })
    const { data } = await admin.client.call('listPartnerLinks', { organization: slug })
    await admin.client.call('refusePartnerLink', { organization: slug, partner_link_id: data[0]?.id ?? '' })
    expect((await browser.send('GET', '/auth/partner_team')).json?.data).toMatchObject({
      organization_id: null,
      requested_organization_id: null,
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['an address that is not verified', { email_verified: false }],
    ['no address', { email: undefined }],
    ['no team', { team_id: undefined }],
    ['a team that is no text', { team_id: { id: 1 } }],
  ])('lets nobody in who comes with %s', async (_, claims) => {
    provider.person = { ...somebody(), ...claims }
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
  })

  it('takes over no account by its address: its owner has to link it', async () => {
    const user = await newUser()
    provider.person = { ...somebody(), email: user.email }
    expectRefused(await new SsoBrowser(gateway()).signIn(connectionId), 'sso_access_denied')
    const browser = await link(user, connectionId)
    expect((await browser.send('GET', '/auth/me')).json?.data).toMatchObject({ user_id: user.id })
  })

  it('that is deleted ends its sessions at every gateway', async () => {
    const first = connectionId
    connectionId = await connectPartner()
    try {
      const browser = await signIn()
      const headers = { cookie: browser.cookie ?? '' }
      for (const url of gateways())
        expect(await send(url, 'GET', '/auth/me', { headers })).toMatchObject({ status: 200 })
      await callAsOperator(deletePartnerConnection, { connection_id: connectionId })
      await eventually(async () => {
        for (const url of gateways())
          expectProblem(await send(url, 'GET', '/auth/me', { headers }), 'credential_invalid')
      })
    } finally {
      connectionId = first
    }
  })
})
