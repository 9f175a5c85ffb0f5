import { randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import {
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

describe('members of a project', () => {
  let own: TestOrganization
  let manager: TestUser
  const gateways = () => testStack().gatewayUrls
  const gateway = () => gateways()[0] ?? ''
  const project = () => `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
  const ask = (method: string, path: string, { credential }: Pick<TestUser, 'credential'>, body?: unknown) =>
    send(gateway(), method, project() + path, { credential, ...(body !== undefined && { body }) })
  const list = (by: TestUser) => ask('GET', '/members', by)
  const set = (id: string, role: string, by: TestUser) => ask('PUT', `/members/${id}`, by, { role })
  const remove = (id: string, by: TestUser) => ask('DELETE', `/members/${id}`, by)
  const cycle = (url: string, { credential }: TestUser) =>
    send(url, 'POST', `${project()}/api_key`, { credential })

  beforeEach(async () => {
    own = await newOrganization()
    manager = await newMember(own, 'member', [{ project: own.project, role: 'manager' }])
  })

  it('are seen by everybody who is in it, by e-mail address, each on one page only', async () => {
    const reader = await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    const elsewhere = await newProject(own)
    await newMember(own, 'member', [{ project: elsewhere, role: 'member' }])
    const expected = [
      { user_id: manager.id, email: manager.email, role: 'manager', connection_id: null },
      { user_id: reader.id, email: reader.email, role: 'reader', connection_id: null },
    ].sort((a, b) => (a.email < b.email ? -1 : 1))
    for (const by of [reader, manager, own.admin])
      expect((await list(by)).json).toEqual({
        data: expected,
        paging: { page: 1, per_page: 100, page_count: 1, item_count: 2, total_count: 2 },
      })
    const pages = [1, 2].map((page) => ask('GET', `/members?page=${page}&per_page=1`, reader))
    const [first, second] = await Promise.all(pages)
    expect([first?.json?.data, second?.json?.data].flat()).toEqual(expected)
  })

  it('a role that a manager grants, changes or removes applies at every gateway before its cache entry expires', async () => {
    const member = await newMember(own, 'member')
    for (const url of gateways()) expect((await cycle(url, member)).status).toBe(404)

    const added = await set(member.id, 'member', manager)
    expect(added).toMatchObject({
      status: 200,
      json: { data: { user_id: member.id, email: member.email, role: 'member' } },
    })
    await eventually(async () => {
      for (const url of gateways()) expect((await cycle(url, member)).status).toBe(403)
    })
    expect((await set(member.id, 'manager', manager)).status).toBe(200)
    await eventually(async () => {
      for (const url of gateways()) expect((await cycle(url, member)).status).toBe(200)
    })
    expect((await set(member.id, 'manager', manager)).status).toBe(200)
    expect((await remove(member.id, manager)).json?.data).toMatchObject({
      user_id: member.id,
      role: 'manager',
    })
    await eventually(async () => {
      for (const url of gateways()) expect((await cycle(url, member)).status).toBe(404)
    })
    const target = `project_member:${own.project.id}/${member.id}`
    const rows = (await auditedIn('identity', own)).filter((row) => row.target === target)
    expect(rows.map(({ action }) => action)).toEqual([
      'project_member.set',
      'project_member.set',
      'project_member.removed',
    ])
    for (const row of rows) expect(row).toMatchObject({ actor_user_id: manager.id })
    const { data } = await own.admin.client.call('listMembers', { organization: own.slug })
    expect(data).toContainEqual(expect.objectContaining({ user_id: member.id, projects: [] }))
  })

  it('can only be who is in the organization, with or without an account', async () => {
    const outsider = (await newOrganization()).admin
    for (const id of [outsider.id, randomUUID()]) {
      expectProblem(await set(id, 'reader', own.admin), 'member_not_found')
      expectProblem(await remove(id, own.admin), 'member_not_found')
    }
    const withoutRole = await newMember(own, 'member')
    expectProblem(await remove(withoutRole.id, manager), 'member_not_found')
    expect((await set(withoutRole.id, 'owner', manager)).json).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/role' }],
    })
  })

  it('of one who is removed from the organization while they get a role, nothing is left', async () => {
    const members = await Promise.all([1, 2, 3, 4].map(() => newMember(own, 'member')))
    const replies = await Promise.all(
      members.flatMap(({ id }) => [
        set(id, 'reader', manager),
        own.admin.client.call('removeMember', { organization: own.slug, user_id: id }),
      ]),
    )
    for (const reply of replies)
      if ('status' in reply && reply.status !== 200) expectProblem(reply, 'member_not_found')
    expect((await list(own.admin)).json).toMatchObject({ data: [{ user_id: manager.id }] })
  })

  describe('with an organization token', () => {
    const token = async (more: object = {}) => {
      const { id, token } = await own.admin.client.call('createOrganizationToken', {
        organization: own.slug,
        description: 'CI',
        ...more,
      })
      return { id, credential: { kind: 'organization_token', token } as const }
    }

    it('are listed, set and removed, and the audit log shows the token', async () => {
      const { id, credential } = await token()
      const member = await newMember(own, 'member')
      expect((await ask('GET', '/members', { credential })).json).toMatchObject({
        data: [{ user_id: manager.id, email: manager.email, role: 'manager' }],
      })
      for (const role of ['reader', 'member', 'manager'])
        expect((await ask('PUT', `/members/${member.id}`, { credential }, { role })).status).toBe(200)
      expect((await ask('DELETE', `/members/${member.id}`, { credential })).status).toBe(200)
      const target = `project_member:${own.project.id}/${member.id}`
      const rows = (await auditedIn('identity', own)).filter((row) => row.target === target)
      expect(rows).toHaveLength(4)
      for (const row of rows)
        expect(row).toMatchObject({
          actor_kind: 'organization_token',
          actor_credential_id: id,
          actor_user_id: null,
        })
    })

    it('cannot be users who do not belong to the organization', async () => {
      const { credential } = await token()
      const outsider = (await newOrganization()).admin
      for (const id of [outsider.id, randomUUID()])
        expectProblem(
          await ask('PUT', `/members/${id}`, { credential }, { role: 'reader' }),
          'member_not_found',
        )
    })

    it('do not get or lose a role with permissions that the token does not have', async () => {
      const { credential } = await token({ permissions: ['project-member:read', 'project-member:manage'] })
      const member = await newMember(own, 'member')
      for (const role of ['reader', 'member', 'manager'])
        expectProblem(
          await ask('PUT', `/members/${member.id}`, { credential }, { role }),
          'permission_denied',
        )
      expectProblem(await ask('DELETE', `/members/${manager.id}`, { credential }), 'permission_denied')
      expectProblem(
        await ask('PUT', `/members/${manager.id}`, { credential }, { role: 'reader' }),
        'permission_denied',
      )
      expect((await list(own.admin)).json).toMatchObject({ data: [{ user_id: manager.id, role: 'manager' }] })
    })

    it('cannot be admins of the organization, and the token changes no role in the organization', async () => {
      const { credential } = await token()
      const admin = await newMember(own, 'admin', [{ project: own.project, role: 'member' }])
      expectProblem(
        await ask('PUT', `/members/${admin.id}`, { credential }, { role: 'reader' }),
        'permission_denied',
      )
      expectProblem(await ask('DELETE', `/members/${admin.id}`, { credential }), 'permission_denied')
      expect((await cycle(gateway(), admin)).status).toBe(200)
      const members = `/api/v0/organizations/${own.slug}/members`
      for (const [method, path, body] of [
        ['GET', members, undefined],
        ['PUT', `${members}/${manager.id}`, { role: 'admin' }],
        ['DELETE', `${members}/${manager.id}`, undefined],
      ] as const)
        expectProblem(
          await send(gateway(), method, path, { credential, ...(body && { body }) }),
          'permission_denied',
        )
    })

    it('are only those of the projects that it is bound to, and only if it was created with the permission', async () => {
      const sibling = await newProject(own)
      const member = await newMember(own, 'member')
      const bound = await token({ project_ids: [sibling.id] })
      expectProblem(await ask('GET', '/members', bound), 'project_not_found')
      expectProblem(await ask('PUT', `/members/${member.id}`, bound, { role: 'reader' }), 'project_not_found')
      const path = `/api/v0/organizations/${own.slug}/projects/${sibling.slug}/members/${member.id}`
      const { credential } = bound
      expect((await send(gateway(), 'PUT', path, { credential, body: { role: 'reader' } })).status).toBe(200)
      const without = await token({ permissions: ['project:list', 'project:read'] })
      expectProblem(await ask('GET', '/members', without), 'permission_denied')
      expectProblem(
        await ask('PUT', `/members/${member.id}`, without, { role: 'reader' }),
        'permission_denied',
      )
    })
  })

  it("a manager manages their own project, and not the organization's others", async () => {
    const sibling = await newProject(own)
    const member = await newMember(own, 'member')
    const path = `/api/v0/organizations/${own.slug}/projects/${sibling.slug}/members`
    const { credential } = manager
    expectProblem(await send(gateway(), 'GET', path, { credential }), 'project_not_found')
    expectProblem(
      await send(gateway(), 'PUT', `${path}/${member.id}`, { credential, body: { role: 'reader' } }),
      'project_not_found',
    )
  })
})

function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply).toMatchObject({ status: ERRORS[code].status, json: { code } })
}
