import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn, queryIdentity } from '../tools/audited.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { send } from '../tools/http.js'
import { RealProvider } from '../tools/real-provider.js'
import {
  connect,
  expectProblem,
  expectRefused,
  gateway,
  gateways,
  link,
  projects,
} from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

const DOMAIN = `d-${randomUUID()}.example`

describe('a role mapping', () => {
  const provider = forSuite(() => FakeProvider.start())
  const organization = forSuite(() => newOrganization())
  let connectionId: string
  let projectId: string

  beforeAll(async () => {
    connectionId = await connect(organization, provider, { just_in_time: true })
    await verify(organization, DOMAIN)
    const { slug, admin } = organization
    const project = await admin.client.call('createProject', {
      organization: slug,
      slug: 'meters',
      name: 'Meters',
    })
    projectId = project.id
  })

  beforeEach(async () => {
    const sub = randomUUID()
    provider.person = { sub, email: `${sub}@${DOMAIN}`, email_verified: true }
    await setMapping({ projects: [] })
  })

  const setMapping = (fallback: { projects: [] } | null) =>
    organization.admin.client.call('changeSsoConnection', {
      organization: organization.slug,
      connection_id: connectionId,
      role_mapping: {
        claim: 'groups',
        rules: [
          { value: 'platform', role: 'admin' },
          { value: 'firmware', projects: [{ project_id: projectId, role: 'manager' }] },
        ],
        fallback,
      },
    })
  const signIn = async (groups: string[]) => {
    provider.person = { ...provider.person, groups }
    const browser = new SsoBrowser(gateway())
    return { browser, reply: await browser.signIn(connectionId) }
  }
  const member = async () => {
    const members = await organization.admin.client.listAll('listMembers', {
      organization: organization.slug,
    })
    return members.find(({ email }) => email === provider.person.email)
  }

  it('gives a new user the roles of their groups, marked with the connection', async () => {
    const { browser, reply } = await signIn(['firmware'])
    expect(reply.status).toBe(302)
    expect(await member()).toMatchObject({
      role: 'member',
      connection_id: connectionId,
      projects: [{ project_id: projectId, role: 'manager', connection_id: connectionId }],
    })
    expect((await browser.send('GET', projects(organization))).status).toBe(200)
    expect(await auditedIn('identity', organization)).toContainEqual(
      expect.objectContaining({
        action: 'membership.granted',
        details: expect.objectContaining({ role: 'member', connection_id: connectionId }),
      }),
    )
  })

  it('takes a role within one sign-in after its user has left the group', async () => {
    await signIn(['platform', 'firmware'])
    expect(await member()).toMatchObject({ role: 'admin' })
    await signIn(['other'])
    expect(await member()).toMatchObject({ role: 'member', projects: [] })
    await signIn(['firmware'])
    expect(await member()).toMatchObject({ role: 'member', projects: [{ role: 'manager' }] })
  })

  it('without a role for everyone else refuses newcomers, ends a membership with its sessions, and gives it back', async () => {
    await setMapping(null)
    const refused = await signIn(['other'])
    expectRefused(refused.reply, 'sso_access_denied')
    expect(refused.reply.json).toMatchObject({ reason: 'no_role' })
    expect(await queryIdentity('SELECT 1 FROM users WHERE email = $1', [provider.person.email])).toEqual([])
    const { browser } = await signIn(['firmware'])
    expectRefused((await signIn([])).reply, 'sso_access_denied')
    expect(await member()).toBeUndefined()
    await eventually(async () => {
      for (const url of gateways()) {
        const headers = { cookie: browser.cookie ?? '' }
        expectProblem(await send(url, 'GET', projects(organization), { headers }), 'credential_invalid')
      }
    })
    expect((await signIn(['firmware'])).reply.status).toBe(302)
    expect(await member()).toMatchObject({ role: 'member', projects: [{ role: 'manager' }] })
  })

  it('does not let in a user again after an admin has removed them', async () => {
    await signIn(['firmware'])
    const { slug, admin } = organization
    await admin.client.call('removeMember', { organization: slug, user_id: (await member())?.user_id ?? '' })
    expectRefused((await signIn(['firmware'])).reply, 'sso_access_denied')
    expect(await member()).toBeUndefined()
  })

  it('gives roles that cannot be edited by hand, until it is deleted', async () => {
    await signIn(['firmware'])
    const scope = { organization: organization.slug, user_id: (await member())?.user_id ?? '' }
    const { client } = organization.admin
    const managed = { code: 'role_from_provider' }
    await expect(client.call('setMemberRole', { ...scope, role: 'admin' })).rejects.toMatchObject(managed)
    const inProject = { ...scope, project: 'meters' }
    await expect(client.call('setProjectMember', { ...inProject, role: 'reader' })).rejects.toMatchObject(
      managed,
    )
    await expect(client.call('removeProjectMember', inProject)).rejects.toMatchObject(managed)
    await client.call('changeSsoConnection', {
      organization: organization.slug,
      connection_id: connectionId,
      role_mapping: null,
    })
    expect(await member()).toMatchObject({ connection_id: null, projects: [{ connection_id: null }] })
    await client.call('setMemberRole', { ...scope, role: 'admin' })
  })

  it('leaves roles that were given by hand, and replaces weaker ones', async () => {
    const user = await newMember(organization, 'member')
    const inProject = { organization: organization.slug, project: 'meters', user_id: user.id }
    await organization.admin.client.call('setProjectMember', { ...inProject, role: 'reader' })
    provider.person = { sub: randomUUID(), email: user.email, groups: [] }
    await link(user, connectionId)
    expect(await member()).toMatchObject({
      connection_id: null,
      projects: [{ role: 'reader', connection_id: null }],
    })
    await signIn(['firmware'])
    expect(await member()).toMatchObject({
      connection_id: null,
      projects: [{ role: 'manager', connection_id: connectionId }],
    })
    await signIn([])
    expect(await member()).toMatchObject({ role: 'member', projects: [] })
  })

  it('never removes the last admin', async () => {
    const own = await newOrganization()
    const id = await connect(own, provider, { just_in_time: true })
    await verify(own, DOMAIN)
    const mapping = {
      claim: 'groups',
      rules: [{ value: 'platform', role: 'admin' as const }],
      fallback: null,
    }
    const scope = { organization: own.slug, connection_id: id }
    await own.admin.client.call('changeSsoConnection', { ...scope, role_mapping: mapping })
    provider.person = { ...provider.person, groups: ['platform'] }
    await new SsoBrowser(gateway()).signIn(id)
    await queryIdentity('DELETE FROM memberships WHERE organization_id = $1 AND connection_id IS NULL', [
      own.id,
    ])
    provider.person = { ...provider.person, groups: [] }
    expect((await new SsoBrowser(gateway()).signIn(id)).status).toBe(302)
    expect(await queryIdentity('SELECT role FROM memberships WHERE organization_id = $1', [own.id])).toEqual([
      { role: 'admin' },
    ])
  })

  it('names only projects of its organization', async () => {
    const elsewhere = await newOrganization()
    const foreign = await elsewhere.admin.client.call('createProject', {
      ...{ organization: elsewhere.slug, slug: 'theirs', name: 'Theirs' },
    })
    const change = organization.admin.client.call('changeSsoConnection', {
      organization: organization.slug,
      connection_id: connectionId,
      role_mapping: {
        claim: 'groups',
        rules: [{ value: 'x', projects: [{ project_id: foreign.id, role: 'reader' }] }],
      },
    })
    await expect(change).rejects.toMatchObject({ code: 'project_not_found' })
  })

  it('survives concurrent sign-ins of one user with different groups', async () => {
    await signIn(['firmware'])
    const replies = await Promise.all(
      [['platform'], ['firmware'], ['other'], ['platform', 'firmware']].map(
        async (groups) => (await signIn(groups)).reply,
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([302, 302, 302, 302])
    await signIn(['firmware'])
    expect(await member()).toMatchObject({ role: 'member', projects: [{ role: 'manager' }] })
  })
})

describe('a role mapping with a real OpenID provider (oidc-provider)', () => {
  it('reads the groups from the userinfo endpoint if the ID token lacks them', async () => {
    await using provider = await RealProvider.start()
    const organization = await newOrganization()
    provider.claims = { groups: 'platform other' }
    const id = await connect(organization, provider, { just_in_time: true })
    await organization.admin.client.call('changeSsoConnection', {
      ...{ organization: organization.slug, connection_id: id },
      role_mapping: { claim: 'groups', rules: [{ value: 'platform', role: 'admin' }], fallback: null },
    })
    provider.allow(`${gateway()}/auth/sso/${id}/callback`)
    await verify(organization, provider.domain)
    const browser = new SsoBrowser(gateway())
    const back = await provider.signIn(await browser.begin(id), 'grace')
    expect((await browser.send('GET', back)).status).toBe(302)
    expect((await browser.send('GET', '/auth/me')).json?.data).toMatchObject({
      grants: [{ organization_id: organization.id, role: 'admin' }],
    })
  })
})

function verify(organization: TestOrganization, domain: string) {
  return queryIdentity(
    `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, $2, 'x', now())`,
    [organization.id, domain],
  )
}
