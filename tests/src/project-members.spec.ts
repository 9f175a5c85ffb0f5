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
import { auditedIn } from './audited.js'
import { send, type Reply } from './http.js'

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
      { user_id: manager.id, email: manager.email, role: 'manager' },
      { user_id: reader.id, email: reader.email, role: 'reader' },
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
