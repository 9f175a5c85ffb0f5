import { describe, expect, it } from '@jest/globals'
import { PERMISSIONS, type Permission } from '@bearing/contracts/permission'
import type { Principal, ProjectRole } from '@bearing/contracts/principal'
import { refusal, visibleProjects } from './authorize.js'
import { ORGANIZATION_TOKEN_PERMISSIONS, PERMISSION_SCOPE } from './roles.js'

const own = '00000000-0000-7000-8000-00000000000a'
const other = '00000000-0000-7000-8000-00000000000b'
const project = '00000000-0000-7000-8000-0000000000a1'
const sibling = '00000000-0000-7000-8000-0000000000a2'
const id = '00000000-0000-7000-8000-000000000001'

const user = (grant: { role: 'admin' | 'member'; project?: ProjectRole; sso?: boolean }): Principal => ({
  kind: 'user',
  user_id: id,
  email: 'user@example.com',
  credential_id: id,
  proof: 'api_key',
  grants: [
    {
      organization_id: own,
      role: grant.role,
      projects: grant.project ? [{ project_id: project, role: grant.project }] : [],
      sso_required: grant.sso ?? false,
    },
  ],
})
const token = (permissions: readonly Permission[] = ORGANIZATION_TOKEN_PERMISSIONS): Principal => ({
  kind: 'organization_token',
  credential_id: id,
  organization_id: own,
  description: 'token',
  permissions: [...permissions],
  expires_at: null,
})
const projectKey: Principal = {
  kind: 'project_key',
  credential_id: id,
  organization_id: own,
  project_id: project,
  permissions: ['location:resolve'],
}
const everybody: Principal[] = [
  user({ role: 'admin' }),
  user({ role: 'member', project: 'manager' }),
  token(),
  projectKey,
]

const scoped = (scope: string) => PERMISSIONS.filter((permission) => PERMISSION_SCOPE[permission] === scope)
const code = (principal: Principal, permission: Permission, resource: Parameters<typeof refusal>[2] = {}) =>
  refusal(principal, permission, resource)?.code

describe('authorization', () => {
  it('never lets anybody but services do what belongs to the system', () => {
    for (const principal of everybody)
      for (const permission of scoped('system'))
        expect(code(principal, permission, { organization_id: own, project_id: project })).toBe(
          'permission_denied',
        )
  })

  it("hides another organization's things as not found, whatever the permission", () => {
    for (const principal of everybody)
      for (const permission of [...scoped('organization'), ...scoped('project')])
        expect(code(principal, permission, { organization_id: other, project_id: project })).toBe(
          'organization_not_found',
        )
  })

  it('gives the same answer for an organization that does not exist', () => {
    for (const principal of everybody)
      for (const permission of [...scoped('organization'), ...scoped('project')])
        expect(refusal(principal, permission, { organization_id: null })).toEqual(
          refusal(principal, permission, { organization_id: other }),
        )
  })

  it('refuses what is asked for on no organization at all', () => {
    for (const principal of everybody)
      for (const permission of [...scoped('organization'), ...scoped('project')])
        expect(code(principal, permission)).toBe('organization_not_found')
  })

  it('makes an admin a manager of every project, and nobody else', () => {
    expect(
      code(user({ role: 'admin' }), 'project-key:cycle', { organization_id: own, project_id: sibling }),
    ).toBeUndefined()
    expect(
      code(user({ role: 'member', project: 'manager' }), 'project-key:cycle', {
        organization_id: own,
        project_id: sibling,
      }),
    ).toBe('project_not_found')
  })

  it.each<[ProjectRole, Permission, boolean]>([
    ['reader', 'project-key:read', true],
    ['reader', 'location:resolve', false],
    ['member', 'location:resolve', true],
    ['member', 'project-key:cycle', false],
    ['manager', 'project-key:cycle', true],
  ])('a project %s and %s: %s', (role, permission, allowed) => {
    const answer = code(user({ role: 'member', project: role }), permission, {
      organization_id: own,
      project_id: project,
    })
    expect(answer).toBe(allowed ? undefined : 'permission_denied')
  })

  it('refuses a user key for an organization that requires single sign-on, and only for that one', () => {
    const principal = user({ role: 'admin', sso: true })
    expect(code(principal, 'project:list', { organization_id: own })).toBe('sso_required')
    expect(code(principal, 'project:list', { organization_id: other })).toBe('organization_not_found')
    expect(code(principal, 'organization:list')).toBeUndefined()
  })

  it('lets a token do what it was given and no more', () => {
    const narrow = token(['location:resolve'])
    const resource = { organization_id: own, project_id: project }
    for (const permission of scoped('project'))
      expect(code(narrow, permission, resource)).toBe(
        permission === 'location:resolve' ? undefined : 'permission_denied',
      )
  })

  it('keeps a project key to its project', () => {
    expect(
      code(projectKey, 'location:resolve', { organization_id: own, project_id: project }),
    ).toBeUndefined()
    expect(code(projectKey, 'location:resolve', { organization_id: own, project_id: sibling })).toBe(
      'project_not_found',
    )
    expect(code(projectKey, 'project:list', { organization_id: own })).toBe('permission_denied')
  })

  it("keeps users' own things for users", () => {
    for (const permission of scoped('self'))
      for (const principal of [token(), projectKey])
        expect(code(principal, permission)).toBe(
          permission === 'principal:read' ? undefined : 'user_required',
        )
  })

  it('shows each principal the projects it has a place in', () => {
    expect(visibleProjects(user({ role: 'admin' }), own)).toBe('all')
    expect(visibleProjects(user({ role: 'member', project: 'reader' }), own)).toEqual([project])
    expect(visibleProjects(user({ role: 'admin', sso: true }), own)).toEqual([])
    expect(visibleProjects(token(), own)).toBe('all')
    expect(visibleProjects(projectKey, own)).toEqual([project])
    for (const principal of everybody) expect(visibleProjects(principal, other)).toEqual([])
  })
})
