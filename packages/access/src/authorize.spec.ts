import { describe, expect, it } from '@jest/globals'
import { PERMISSIONS, type Permission } from '@bearing/contracts/permission'
import {
  DEVICE_LOGINS,
  type DeviceLogins,
  type Principal,
  type ProjectRole,
  type UserPrincipal,
} from '@bearing/contracts/principal'
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
  it.each<[string, 'in' | 'out', Partial<UserPrincipal>]>([
    ['an API key that was created with it', 'in', { second_factor: true, key_second_factor: true }],
    ['an API key that was created without it', 'out', { second_factor: true, key_second_factor: false }],
    ['an API key of which an earlier identity service does not say', 'in', { second_factor: true }],
    ['an API key of a user who has removed it', 'out', { second_factor: false, key_second_factor: true }],
    ['a password of a user who has one', 'out', { second_factor: true, proof: 'password' }],
    ['a session with a code', 'in', { second_factor: true, proof: 'session', methods: ['pwd', 'otp'] }],
    [
      'a session with a recovery code',
      'in',
      { second_factor: true, proof: 'session', methods: ['recovery'] },
    ],
    ['an API key of a user who has none', 'out', { second_factor: false }],
    ['a user without information about it', 'out', {}],
    ['a password', 'out', { proof: 'password', second_factor: false }],
    ['a session without it', 'out', { second_factor: true, proof: 'session', methods: ['pwd'] }],
    ['a session whose methods are not known', 'out', { second_factor: true, proof: 'session' }],
    ['a session of a user who has none any more', 'out', { proof: 'session', methods: ['pwd', 'otp'] }],
  ])('where an organization requires a second factor, %s is let %s', (_, expected, how) => {
    const member = user({ role: 'admin' })
    if (member.kind !== 'user') throw new Error('unreachable: it is made as one')
    const grants = member.grants.map((grant) => ({ ...grant, second_factor_required: true }))
    const principal = { ...member, ...how, grants }
    expect(code(principal, 'project:list', { organization_id: own })).toBe(
      expected === 'in' ? undefined : 'second_factor_required',
    )
    expect(visibleProjects(principal, own)).toEqual(expected === 'in' ? 'all' : [])
    expect(
      code({ ...principal, grants: member.grants }, 'project:list', { organization_id: own }),
    ).toBeUndefined()
    expect(code(principal, 'organization:create')).toBeUndefined()
  })

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

  it('lets only admins in a session with a second factor repair the connection of an organization that requires it', () => {
    const admin = user({ role: 'admin', sso: true })
    if (admin.kind !== 'user') throw new Error('unreachable: it is made as one')
    const session = { ...admin, proof: 'session', second_factor: true, methods: ['pwd', 'otp'] } as const
    const repair: Permission[] = ['sign-in-policy:read', 'sso-connection:change', 'sso-connection:read']
    const allowed = (principal: Principal) =>
      PERMISSIONS.filter(
        (permission) =>
          PERMISSION_SCOPE[permission] !== 'self' &&
          code(principal, permission, { organization_id: own, project_id: project }) === undefined,
      ).sort()
    expect(allowed({ ...session, methods: [...session.methods] })).toEqual(repair)
    for (const other of [
      { methods: ['pwd' as const] },
      { proof: 'api_key' as const, key_second_factor: true },
      { sso: { connection_id: id, organization_id: '00000000-0000-7000-8000-00000000000b' } },
      { grants: admin.grants.map((grant) => ({ ...grant, role: 'member' as const })) },
    ])
      expect(allowed({ ...session, methods: [...session.methods], ...other })).toEqual([])
  })

  it('refuses a user key for an organization that requires single sign-on, and only for that one', () => {
    const principal = user({ role: 'admin', sso: true })
    expect(code(principal, 'project:list', { organization_id: own })).toBe('sso_required')
    expect(code(principal, 'project:list', { organization_id: other })).toBe('organization_not_found')
    expect(code(principal, 'organization:list')).toBeUndefined()
  })

  it('refuses a session by the device logins of an organization, and nothing else and nowhere else', () => {
    const { grants, ...rest } = user({ role: 'admin' }) as UserPrincipal
    const among = (device_logins: DeviceLogins, more: Partial<UserPrincipal>) => {
      const [grant] = grants
      if (!grant) throw new Error('no grant')
      const principal = {
        ...rest,
        ...more,
        grants: [
          { ...grant, device_logins },
          { ...grant, organization_id: other },
        ],
      }
      expect(code(principal, 'project:list', { organization_id: other })).toBeUndefined()
      expect(visibleProjects(principal, other)).toBe('all')
      const refused = code(principal, 'project:list', { organization_id: own })
      expect(visibleProjects(principal, own)).toEqual(refused === undefined ? 'all' : [])
      return refused
    }
    const session = (device_login?: UserPrincipal['device_login']) =>
      ({ proof: 'session', ...(device_login !== undefined && { device_login }) }) as const
    const refused = 'device_login_refused'
    const cases = [
      // [on, same-network, off]
      [{ proof: 'api_key' }, undefined, undefined, undefined],
      [{ proof: 'password' }, undefined, undefined, undefined],
      [session(null), undefined, undefined, undefined],
      [session({ same_network: true }), undefined, undefined, refused],
      [session({ same_network: false }), undefined, refused, refused],
      // Claims of an earlier version of identity, which does not say whose session it is.
      [session(), undefined, refused, refused],
    ] as const
    for (const [more, ...codes] of cases)
      expect(DEVICE_LOGINS.map((rule) => among(rule, more))).toEqual(codes)
  })

  describe('of a session of single sign-on', () => {
    const connection_id = '00000000-0000-7000-8000-0000000000c1'
    const grant = { role: 'admin' as const, projects: [], sso_required: true, second_factor_required: true }
    const came = (through: string | null): UserPrincipal => ({
      kind: 'user',
      user_id: id,
      email: 'user@example.com',
      credential_id: id,
      proof: 'session',
      methods: ['sso'],
      sso: { connection_id, organization_id: through },
      grants: [own, other].map((organization_id) => ({ ...grant, organization_id })),
    })

    it('lets it into the organization of its connection, whatever that one demands', () => {
      expect(code(came(own), 'project:list', { organization_id: own })).toBeUndefined()
      expect(visibleProjects(came(own), own)).toBe('all')
    })

    it('knows of no other organization, even where its principal has a grant there', () => {
      for (const through of [own, null]) {
        expect(code(came(through), 'project:list', { organization_id: other })).toBe('organization_not_found')
        expect(visibleProjects(came(through), other)).toEqual([])
      }
    })

    it('refuses everything about the account that outlasts the session or reaches further', () => {
      const allowed = scoped('self').filter((permission) => code(came(own), permission) === undefined)
      expect(allowed.sort()).toEqual([
        'login:decide',
        'organization:list',
        'partner-team:choose',
        'partner-team:read',
        'principal:read',
        'session:end',
        'session:read',
      ])
    })

    it('takes no password for it: a session that says nothing of a connection came without one', () => {
      const { sso: _, ...without } = came(own)
      expect(code(without, 'project:list', { organization_id: own })).toBe('sso_required')
      expect(code({ ...came(own), methods: ['pwd'] }, 'project:list', { organization_id: own })).toBe(
        'sso_required',
      )
    })
  })

  it('lets a token do what it was given and no more', () => {
    const narrow = token(['location:resolve'])
    const resource = { organization_id: own, project_id: project }
    for (const permission of scoped('project'))
      expect(code(narrow, permission, resource)).toBe(
        permission === 'location:resolve' ? undefined : 'permission_denied',
      )
  })

  it('says what to use where no token, or a key only by a setting, can have the permission', () => {
    const on = { organization_id: own, project_id: project }
    const message = (principal: Principal, permission: Permission) =>
      refusal(principal, permission, on)?.message
    expect(message(token(), 'organization-token:create')).toMatch(/here\. No organization token has it/)
    expect(message(token([]), 'project:list')).toMatch(/"project:list" here\.$/)
    const key: Principal = { ...projectKey, permissions: [] }
    expect(message(key, 'location:resolve')).toMatch(/project_key_may_locate/)
    expect(message(key, 'observation:contribute')).toMatch(/project_key_may_contribute/)
    expect(message(key, 'device:read')).toMatch(/"device:read" here\.$/)
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
    for (const permission of scoped('self').filter((permission) => permission !== 'organization:list'))
      for (const principal of [token(), projectKey])
        expect(code(principal, permission)).toBe(
          permission === 'principal:read' ? undefined : 'user_required',
        )
  })

  it('lets a token list its organization if it can list projects', () => {
    expect(code(token(), 'organization:list')).toBeUndefined()
    expect(code(token(['location:resolve']), 'organization:list')).toBe('permission_denied')
    expect(code(projectKey, 'organization:list')).toBe('user_required')
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
