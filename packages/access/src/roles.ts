import { PERMISSIONS, type Permission, type PermissionScope } from '@bearing/contracts/permission'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'

/** What each permission is held on. */
export const PERMISSION_SCOPE: Readonly<Record<Permission, PermissionScope>> = {
  'principal:read': 'self',
  'organization:list': 'self',
  'organization:create': 'self',
  'user-key:read': 'self',
  'user-key:cycle': 'self',
  'user-key:delete': 'self',
  'project:list': 'organization',
  'project:create': 'organization',
  'organization-token:read': 'organization',
  'organization-token:create': 'organization',
  'organization-token:delete': 'organization',
  'organization-token:rotate': 'organization',
  'organization-token-policy:read': 'organization',
  'organization-token-policy:change': 'organization',
  'access-point:read': 'organization',
  'access-point:import': 'organization',
  'member:read': 'organization',
  'member:leave': 'organization',
  'member:manage': 'organization',
  'project:read': 'project',
  'project-key:read': 'project',
  'project-key:cycle': 'project',
  'project-settings:read': 'project',
  'project-settings:change': 'project',
  'location:resolve': 'project',
  'project-member:read': 'project',
  'project-member:manage': 'project',
  'user:create': 'system',
  'membership:grant': 'system',
}

/** What every user may do about themselves. */
export const USER_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>(
  PERMISSIONS.filter((permission) => PERMISSION_SCOPE[permission] === 'self'),
)

/** What each organization role may do on its organization, apart from its projects. */
export const ORGANIZATION_ROLE_PERMISSIONS: Readonly<Record<OrganizationRole, ReadonlySet<Permission>>> = {
  admin: new Set<Permission>(
    PERMISSIONS.filter((permission) => PERMISSION_SCOPE[permission] === 'organization'),
  ),
  member: new Set<Permission>(['project:list', 'access-point:read', 'member:read', 'member:leave']),
}

const READER: readonly Permission[] = ['project:read', 'project-key:read', 'project-settings:read']
const MEMBER: readonly Permission[] = [...READER, 'location:resolve']
const MANAGER: readonly Permission[] = [...MEMBER, 'project-key:cycle', 'project-settings:change']
/** Apart from the lists above, which tokens have a share in: people's addresses and places are for people. */
const SEE_PEOPLE: Permission = 'project-member:read'

/** What each project role may do on its project. An admin of the organization has those of a manager. */
export const PROJECT_ROLE_PERMISSIONS: Readonly<Record<ProjectRole, ReadonlySet<Permission>>> = {
  reader: new Set([...READER, SEE_PEOPLE]),
  member: new Set([...MEMBER, SEE_PEOPLE]),
  manager: new Set([...MANAGER, SEE_PEOPLE, 'project-member:manage']),
}

/**
 * What an organization token can have, on its organization and every project of it: the access of a project manager,
 * and locations. It may be created with fewer, never with more (docs/decisions/0004-organization-token-power.md).
 */
export const ORGANIZATION_TOKEN_PERMISSIONS: readonly Permission[] = [
  'project:list',
  'access-point:read',
  'access-point:import',
  ...MANAGER,
]

/** What every project key can do: nothing, as long as there is nothing for devices to send. */
export const PROJECT_KEY_PERMISSIONS: readonly Permission[] = []

/** What the key of a project can do besides that has said that its key may ask for locations. */
export const LOCATING_PROJECT_KEY_PERMISSIONS: readonly Permission[] = ['location:resolve']

/** What services and operators may do, on any organization. */
export const SERVICE_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'principal:read',
  'user:create',
  'membership:grant',
  'access-point:read',
  'access-point:import',
])
