import { randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import {
  clientFor,
  newMember,
  newOrganization,
  newProject,
  type TestOrganization,
  type TestUser,
} from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { auditedIn } from '../tools/audited.js'
import { send, type Reply } from '../tools/http.js'

/** The errors of the later of two calls: from identity, or from a gateway that has applied the change already. */
const TOO_LATE = ['last_admin', 'permission_denied', 'organization_not_found']

/** No role mapping gave the role. */
const BY_HAND = { connection_id: null }

describe('members of an organization', () => {
  let own: TestOrganization
  const gateways = () => testStack().gatewayUrls
  const gateway = () => gateways()[0] ?? ''
  const address = ({ slug }: { slug: string }) => `/api/v0/organizations/${slug}/members`
  const ask = (method: string, path: string, { credential }: Pick<TestUser, 'credential'>, body?: unknown) =>
    send(gateway(), method, path, { credential, ...(body !== undefined && { body }) })
  const list = (by: TestUser) => ask('GET', address(own), by)
  const setRole = (id: string, role: string, by: TestUser) =>
    ask('PUT', `${address(own)}/${id}`, by, { role })
  const remove = (id: string, by: TestUser) => ask('DELETE', `${address(own)}/${id}`, by)
  const projectsOf = (url: string, { slug }: { slug: string }, { credential }: TestUser) =>
    send(url, 'GET', `/api/v0/organizations/${slug}/projects`, { credential })
  const admins = async () => {
    const observer = await newMember(own, 'member')
    const { data } = await observer.client.call('listMembers', { organization: own.slug })
    return data.filter(({ role }) => role === 'admin').map(({ user_id }) => user_id)
  }

  beforeEach(async () => {
    own = await newOrganization()
  })

  it('are listed with their roles, by e-mail address, each on one page only', async () => {
    const member = await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    const third = await newMember(own, 'member')
    const expected = [
      { user_id: own.admin.id, email: own.admin.email, role: 'admin', ...BY_HAND, projects: [] },
      {
        user_id: member.id,
        email: member.email,
        ...{ role: 'member', ...BY_HAND },
        projects: [{ project_id: own.project.id, role: 'reader', ...BY_HAND }],
      },
      { user_id: third.id, email: third.email, role: 'member', ...BY_HAND, projects: [] },
    ]
      .sort((a, b) => (a.email < b.email ? -1 : 1))
      .map((member) => ({ ...member, second_factor: false, last_sign_in_at: expect.any(String) }))
    const reply = await list(own.admin)
    expect(reply.json).toEqual({
      data: expected,
      paging: { page: 1, per_page: 100, page_count: 1, item_count: 3, total_count: 3 },
    })
    const pages = [1, 2].map((page) => ask('GET', `${address(own)}?page=${page}&per_page=2`, own.admin))
    const [first, second] = await Promise.all(pages)
    expect([first?.json?.data, second?.json?.data].flat()).toEqual(expected)
  })

  it('see each other, but of roles in projects only those in projects that they may see', async () => {
    const hidden = await newProject(own)
    const colleague = await newMember(own, 'member', [
      { project: own.project, role: 'manager' },
      { project: hidden, role: 'member' },
    ])
    const member = await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    const seen = (await member.client.call('listMembers', { organization: own.slug })).data
    expect(seen.find(({ user_id }) => user_id === colleague.id)?.projects).toEqual([
      { project_id: own.project.id, role: 'manager', ...BY_HAND },
    ])
    expect(JSON.stringify(seen)).not.toContain(hidden.id)
  })

  it('a changed role applies at every gateway before its cache entry expires, and setting the same role changes nothing', async () => {
    const member = await newMember(own, 'member')
    const create = (url: string) =>
      send(url, 'POST', `/api/v0/organizations/${own.slug}/projects`, {
        credential: member.credential,
        body: { name: 'Mine' },
      })
    for (const url of gateways()) expect((await create(url)).status).toBe(403)

    const promoted = await setRole(member.id, 'admin', own.admin)
    expect(promoted).toMatchObject({ status: 200, json: { data: { user_id: member.id, role: 'admin' } } })
    await eventually(async () => {
      for (const url of gateways()) expect((await create(url)).status).toBe(201)
    })
    expect((await setRole(member.id, 'admin', own.admin)).status).toBe(200)

    expect((await setRole(member.id, 'member', own.admin)).status).toBe(200)
    await eventually(async () => {
      for (const url of gateways()) expect((await create(url)).status).toBe(403)
    })
    const target = `user:${member.id}`
    const actions = (await auditedIn('identity', own)).filter((row) => row.target === target)
    expect(actions.map(({ action }) => action)).toEqual([
      'membership.granted',
      'membership.promoted',
      'membership.demoted',
    ])
    expect(actions[2]).toMatchObject({ actor_user_id: own.admin.id, address: '127.0.0.1' })
  })

  it('a removed member is rejected by every gateway before its cache entry expires, and their key still works in other organizations', async () => {
    const other = await newOrganization()
    const { admin: user } = other
    const { id } = own.project
    await grant(user, id)
    await eventually(async () => {
      for (const url of gateways()) expect((await projectsOf(url, own, user)).status).toBe(200)
    })

    const removed = await remove(user.id, own.admin)
    expect(removed).toMatchObject({
      status: 200,
      json: { data: { user_id: user.id, projects: [{ project_id: id, role: 'manager' }] } },
    })
    await eventually(async () => {
      for (const url of gateways())
        expect((await projectsOf(url, own, user)).json).toMatchObject({ code: 'organization_not_found' })
    })
    for (const url of gateways()) expect((await projectsOf(url, other, user)).status).toBe(200)
    expect(await auditedIn('identity', own)).toContainEqual(
      expect.objectContaining({
        action: 'membership.removed',
        target: `user:${user.id}`,
        actor_user_id: own.admin.id,
      }),
    )
    expectProblem(await remove(user.id, own.admin), 'member_not_found')

    // The roles in projects were deleted too: a user who joins again does not get them back.
    await grant(user)
    expect((await own.admin.client.call('listMembers', { organization: own.slug })).data).toContainEqual(
      expect.objectContaining({ user_id: user.id, projects: [] }),
    )
  })

  it('everybody may leave, and remove nobody else', async () => {
    const member = await newMember(own, 'member', [{ project: own.project, role: 'manager' }])
    expectProblem(await remove(own.admin.id, member), 'permission_denied')
    expectProblem(await remove(randomUUID(), member), 'permission_denied')
    expect((await remove(member.id, member)).status).toBe(200)
    await eventually(async () => {
      for (const url of gateways()) expect((await projectsOf(url, own, member)).status).toBe(404)
    })
  })

  it('the last admin can neither leave nor lose the role, until there is another one', async () => {
    const member = await newMember(own, 'member')
    expectProblem(await remove(own.admin.id, own.admin), 'last_admin')
    expectProblem(await remove(own.admin.id.toUpperCase(), own.admin), 'last_admin')
    expectProblem(await setRole(own.admin.id, 'member', own.admin), 'last_admin')
    expect((await setRole(own.admin.id, 'admin', own.admin)).status).toBe(200)
    expect((await setRole(member.id, 'admin', own.admin)).status).toBe(200)
    expect((await remove(own.admin.id, own.admin)).status).toBe(200)
    expect(await admins()).toEqual([member.id])
  })

  it.each<[string, (other: TestUser, self: TestUser) => Promise<Reply>]>([
    ['demote each other', (other, self) => setRole(other.id, 'member', self)],
    ['remove each other', (other, self) => remove(other.id, self)],
    ['leave', (_, self) => remove(self.id, self)],
    ['leave the role', (_, self) => setRole(self.id, 'member', self)],
  ])('of two admins who %s at the same moment, exactly one stays', async (_, act) => {
    for (let round = 0; round < 4; round++) {
      own = await newOrganization()
      const second = await newMember(own, 'admin')
      // Both are known to the gateway as admins before they act.
      await Promise.all([list(own.admin), list(second)])
      const replies = await Promise.all([act(second, own.admin), act(own.admin, second)])
      expect(replies.map(({ status }) => status).sort()).toMatchObject([200, expect.any(Number)])
      for (const { status, json } of replies) if (status !== 200) expect(TOO_LATE).toContain(json?.code)
      expect(await admins()).toHaveLength(1)
    }
  })

  it('of many admins who leave concurrently, exactly one stays', async () => {
    const all = [own.admin, ...(await Promise.all([1, 2, 3].map(() => newMember(own, 'admin'))))]
    const replies = await Promise.all(all.map((admin) => remove(admin.id, admin)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(await admins()).toHaveLength(1)
  })

  it('somebody who is no member is not found, with or without an account', async () => {
    const outsider = (await newOrganization()).admin
    for (const id of [outsider.id, randomUUID()]) {
      expectProblem(await setRole(id, 'admin', own.admin), 'member_not_found')
      expectProblem(await remove(id, own.admin), 'member_not_found')
    }
    for (const id of ['x', `${randomUUID()}0`])
      expect((await setRole(id, 'admin', own.admin)).json).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/user_id' }],
      })
    expect((await setRole(own.admin.id, 'owner', own.admin)).json).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/role' }],
    })
  })

  it('a token neither lists, changes nor removes members', async () => {
    const token = clientFor(own.token.credential)
    const member = await newMember(own, 'member')
    const attempts = [
      () => token.call('listMembers', { organization: own.slug }),
      () => token.call('setMemberRole', { organization: own.slug, user_id: member.id, role: 'admin' }),
      () => token.call('removeMember', { organization: own.slug, user_id: member.id }),
    ]
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ problem: { code: 'permission_denied' } })
  })

  async function grant(user: TestUser, projectId?: string): Promise<void> {
    await callAsOperator(grantMembership, {
      organization_id: own.id,
      user_id: user.id,
      role: 'member',
      projects: projectId === undefined ? [] : [{ project_id: projectId, role: 'manager' }],
    })
  }
})

function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply).toMatchObject({ status: ERRORS[code].status, json: { code } })
}
