import { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import { describe, expect, it } from '@jest/globals'
import { claimName, groupsIn, mappedRoles } from './mapped-roles.js'

const [A, B] = ['0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51', '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e52']
const mapping = (claim: string, fallback: RoleMapping['fallback'] = null) =>
  RoleMapping.parse({
    claim,
    rules: [
      { value: 'platform', role: 'admin' },
      {
        value: 'firmware',
        projects: [
          { project_id: A, role: 'reader' },
          { project_id: B, role: 'member' },
        ],
      },
      { value: 'leads', projects: [{ project_id: A, role: 'manager' }] },
    ],
    fallback,
  })

describe('the groups of a user', () => {
  it.each([
    ['groups', { groups: ['a b', 'c', 7] }, ['a b', 'c']],
    ['groups', { groups: 'a  b' }, ['a', 'b']],
    ['groups', { groups: { a: true } }, []],
    ['groups', {}, []],
    ['realm_access/roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['realm_access/roles', { realm_access: ['roles'] }, []],
    ['https://acme.example/groups', { 'https://acme.example/groups': ['a'] }, ['a']],
    ['a~1b', { 'a/b': ['c'] }, ['c']],
    ['toString', {}, []],
  ])('are read from the claim %s of %j', (claim, claims, groups) => {
    expect([...groupsIn(mapping(claim), claims)]).toEqual(groups)
  })

  it('are asked for at the userinfo endpoint by the name of the claim at the top', () => {
    expect(claimName(mapping('realm_access/roles'))).toBe('realm_access')
    expect(claimName(mapping('https://acme.example/groups'))).toBe('https://acme.example/groups')
  })

  it('that the provider left out because there are too many fail the sign-in instead of taking roles', () => {
    const claims = { _claim_names: { groups: 'src1' }, _claim_sources: {} }
    expect(() => groupsIn(mapping('groups'), claims)).toThrow(/too many groups/)
    expect([...groupsIn(mapping('roles'), claims)]).toEqual([])
  })
})

describe('the roles of a role mapping', () => {
  const roles = (groups: string[], fallback: RoleMapping['fallback'] = null) => {
    const found = mappedRoles(mapping('groups', fallback), new Set(groups))
    return found && { role: found.role, projects: Object.fromEntries(found.projects) }
  }

  it('are those of every rule that matches, of two in one place the stronger', () => {
    expect(roles(['firmware', 'leads'])).toEqual({
      role: 'member',
      projects: { [A]: 'manager', [B]: 'member' },
    })
    expect(roles(['leads', 'firmware', 'platform'])).toEqual({
      role: 'admin',
      projects: { [A]: 'manager', [B]: 'member' },
    })
  })

  it('are those for everyone else only if no rule matches', () => {
    const fallback = { projects: [{ project_id: B, role: 'reader' as const }] }
    expect(roles(['x'], fallback)).toEqual({ role: 'member', projects: { [B]: 'reader' } })
    expect(roles(['leads'], fallback)).toEqual({ role: 'member', projects: { [A]: 'manager' } })
    expect(roles(['x'])).toBeUndefined()
    expect(roles(['Platform'])).toBeUndefined()
  })
})
