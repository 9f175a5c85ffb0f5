import { describe, expect, it } from '@jest/globals'
import { TOKEN_DERIVE, TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { PERMISSIONS, type Permission } from '@bearing/contracts/permission'
import { Principal, type OrganizationTokenPrincipal } from '@bearing/contracts/principal'
import { refusal, visibleProjects } from './authorize.js'
import {
  BOUND_TOKEN_PERMISSIONS,
  ORGANIZATION_TOKEN_PERMISSIONS,
  PERMISSION_SCOPE,
  PROJECT_ROLE_PERMISSIONS,
} from './roles.js'

const own = '00000000-0000-7000-8000-00000000000a'
const other = '00000000-0000-7000-8000-00000000000b'
const project = '00000000-0000-7000-8000-0000000000a1'
const sibling = '00000000-0000-7000-8000-0000000000a2'

const bound = (permissions: readonly Permission[] = BOUND_TOKEN_PERMISSIONS): OrganizationTokenPrincipal => ({
  kind: 'organization_token',
  credential_id: '00000000-0000-7000-8000-000000000001',
  organization_id: own,
  description: 'token',
  permissions: [],
  project_binding: { project_ids: [project], permissions: [...permissions] },
  expires_at: null,
})
const scoped = (scope: string) => PERMISSIONS.filter((permission) => PERMISSION_SCOPE[permission] === scope)
const code = (principal: Principal, permission: Permission, resource: Parameters<typeof refusal>[2] = {}) =>
  refusal(principal, permission, resource)?.code

describe('the preset project-manager', () => {
  it('has all permissions of a project manager', () => {
    const { permissions }: { readonly permissions: readonly Permission[] } = TOKEN_PRESETS['project-manager']
    for (const permission of PROJECT_ROLE_PERMISSIONS.manager) expect(permissions).toContain(permission)
  })
})

describe('a token that is bound to one project', () => {
  it('has on that project exactly the permissions of a token', () => {
    for (const permission of scoped('project'))
      expect([permission, code(bound(), permission, { organization_id: own, project_id: project })]).toEqual([
        permission,
        ORGANIZATION_TOKEN_PERMISSIONS.includes(permission) ? undefined : 'permission_denied',
      ])
  })

  it('is refused every permission on any other project as if there were none', () => {
    for (const permission of scoped('project'))
      expect(refusal(bound(PERMISSIONS), permission, { organization_id: own, project_id: sibling })).toEqual(
        refusal(bound(PERMISSIONS), permission, { organization_id: own, project_id: null }),
      )
    expect(code(bound(), 'project:read', { organization_id: own, project_id: sibling })).toBe(
      'project_not_found',
    )
  })

  it('may list projects, which shows that one alone, and derive tokens, and has no other permission on the organization', () => {
    for (const permission of scoped('organization'))
      expect([permission, code(bound(PERMISSIONS), permission, { organization_id: own })]).toEqual([
        permission,
        permission === 'project:list' || permission === TOKEN_DERIVE ? undefined : 'permission_denied',
      ])
    expect(visibleProjects(bound(), own)).toEqual([project])
    expect(visibleProjects(bound(), other)).toEqual([])
  })

  it('has no more permissions than it was given', () => {
    const narrow = bound(['location:resolve'])
    const resource = { organization_id: own, project_id: project }
    expect(code(narrow, 'location:resolve', resource)).toBeUndefined()
    expect(code(narrow, 'project:read', resource)).toBe('permission_denied')
    expect(code(narrow, 'project:list', resource)).toBe('permission_denied')
  })

  it('is granted nothing on any project by a reader that does not know the binding', () => {
    const { project_binding: _, ...before } = bound(PERMISSIONS)
    const read = Principal.parse(before)
    for (const permission of PERMISSIONS.filter((name) => name !== 'principal:read'))
      for (const project_id of [project, sibling])
        expect(code(read, permission, { organization_id: own, project_id })).toBeDefined()
  })
})
