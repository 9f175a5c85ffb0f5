import {
  MANAGE_PEOPLE,
  MANAGER_PERMISSIONS,
  MEMBER_PERMISSIONS,
  READER_PERMISSIONS,
  SEE_PEOPLE,
} from '@bearing/contracts/identity/members/project-permissions'
import { PERMISSIONS, type Permission, type PermissionScope } from '@bearing/contracts/permission'
import {
  ADMINISTRATION_PERMISSIONS,
  SCIM_PROVISION,
  TOKEN_DERIVE,
  TOKEN_PRESETS,
} from '@bearing/contracts/identity/tokens/token-presets'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'

export const PERMISSION_SCOPE: Readonly<Record<Permission, PermissionScope>> = {
  'principal:read': 'self',
  'organization:list': 'self',
  'organization:create': 'self',
  'user-key:read': 'self',
  'user-key:cycle': 'self',
  'user-key:delete': 'self',
  'password:change': 'self',
  'email:change': 'self',
  'user:delete-self': 'self',
  'session:read': 'self',
  'session:end': 'self',
  'session:confirm': 'self',
  'login:decide': 'self',
  'second-factor:read': 'self',
  'second-factor:change': 'self',
  'sso-identity:read': 'self',
  'sso-identity:change': 'self',
  'partner-team:read': 'self',
  'partner-team:choose': 'self',
  'organization:rename': 'organization',
  'organization-usage:read': 'organization',
  'project:list': 'organization',
  'project:create': 'organization',
  'organization-token:read': 'organization',
  'organization-token:create': 'organization',
  'organization-token:delete': 'organization',
  'organization-token:rotate': 'organization',
  'organization-token:derive': 'organization',
  'organization-token-policy:read': 'organization',
  'organization-token-policy:change': 'organization',
  'workload-trust:read': 'organization',
  'workload-trust:manage': 'organization',
  'legacy-token:read': 'organization',
  'legacy-token:import': 'organization',
  'legacy-token:delete': 'organization',
  'sign-in-policy:read': 'organization',
  'sign-in-policy:change': 'organization',
  'sso-connection:read': 'organization',
  'sso-connection:manage': 'organization',
  'sso-connection:change': 'organization',
  'sso-domain:read': 'organization',
  'sso-domain:manage': 'organization',
  'partner-link:manage': 'organization',
  'scim:provision': 'organization',
  'access-point:read': 'organization',
  'access-point:import': 'organization',
  'location-settings:read': 'organization',
  'location-settings:change': 'organization',
  'access-point:export': 'organization',
  'access-point:forget': 'organization',
  'member:read': 'organization',
  'member:leave': 'organization',
  'member:manage': 'organization',
  'admin:grant': 'organization',
  'invitation:read': 'organization',
  'invitation:create': 'organization',
  'invitation:revoke': 'organization',
  'invitation:resend': 'organization',
  'audit-log:read': 'organization',
  'organization:delete': 'organization',
  'organization:restore': 'organization',
  'project:delete': 'organization',
  'project:read': 'project',
  'project-key:read': 'project',
  'project-key:cycle': 'project',
  'project-settings:read': 'project',
  'project-settings:change': 'project',
  'location:resolve': 'project',
  'observation:contribute': 'project',
  'project-member:read': 'project',
  'project-member:manage': 'project',
  'device:read': 'project',
  'device:register': 'project',
  'device:change': 'project',
  'device:delete': 'project',
  'device-key:manage': 'project',
  'device:claim': 'project',
  'device-data:send': 'project',
  'device-data:read': 'project',
  'data-policy:read': 'project',
  'data-policy:change': 'project',
  'file:read': 'project',
  'file:download': 'project',
  'file:upload': 'project',
  'symbols:upload': 'project',
  'webhook:read': 'project',
  'webhook:manage': 'project',
  'user:create': 'system',
  'user:delete': 'system',
  'user:change-email': 'system',
  'membership:grant': 'system',
  'pepper:read': 'system',
  'second-factor:reset': 'system',
  'audit-log:verify': 'system',
  'sign-in-policy:release': 'system',
  'partner-connection:manage': 'system',
  'dead-letter:manage': 'system',
  'project-key:import': 'system',
  'layer:relearn': 'system',
}

/** Permissions of every user on their account. */
export const USER_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>(
  PERMISSIONS.filter((permission) => PERMISSION_SCOPE[permission] === 'self'),
)

/**
 * Permissions of users on their account in a session of single sign-on. They exclude credentials: the owner of the provider could
 * create an API key of the account, which every organization of the user accepts.
 */
export const SSO_USER_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'principal:read',
  'organization:list',
  'session:read',
  'session:end',
  'login:decide',
  'partner-team:read',
  'partner-team:choose',
])

/**
 * Permissions of an admin who signed in with a second factor where the organization requires single sign-on: to repair the connection. They
 * let nobody in: the issuer of a connection never changes.
 */
export const SSO_REPAIR_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'sign-in-policy:read',
  'sso-connection:read',
  'sso-connection:change',
])

/** Permissions of organization roles, without those on projects. */
export const ORGANIZATION_ROLE_PERMISSIONS: Readonly<Record<OrganizationRole, ReadonlySet<Permission>>> = {
  admin: new Set<Permission>(
    // Only a token derives tokens, and pushes users and groups.
    PERMISSIONS.filter(
      (permission) =>
        PERMISSION_SCOPE[permission] === 'organization' &&
        permission !== TOKEN_DERIVE &&
        permission !== SCIM_PROVISION,
    ),
  ),
  member: new Set<Permission>([
    'project:list',
    'access-point:read',
    'location-settings:read',
    'member:read',
    'member:leave',
  ]),
}

/** Permissions of project roles. An admin of the organization has those of a manager. */
export const PROJECT_ROLE_PERMISSIONS: Readonly<Record<ProjectRole, ReadonlySet<Permission>>> = {
  reader: new Set([...READER_PERMISSIONS, SEE_PEOPLE]),
  member: new Set([...MEMBER_PERMISSIONS, SEE_PEOPLE]),
  manager: new Set([...MANAGER_PERMISSIONS, ...MANAGE_PEOPLE]),
}

/**
 * The most permissions of an organization token, on its organization and all projects. One that is created without a choice has those of
 * the preset `project-manager`; those of administration have rules of their own
 * (docs/decisions/0070-let-organization-tokens-manage-project-members.md).
 */
export const ORGANIZATION_TOKEN_PERMISSIONS: readonly Permission[] = [
  ...TOKEN_PRESETS['project-manager'].permissions,
  TOKEN_DERIVE,
  ...ADMINISTRATION_PERMISSIONS,
]

/**
 * The most permissions of a token that is bound to projects: permissions on those projects, the list of them, and deriving weaker tokens.
 * Other permissions on an organization read or change data that all its projects share.
 */
export const BOUND_TOKEN_PERMISSIONS: readonly Permission[] = [
  'project:list',
  ...MANAGER_PERMISSIONS,
  ...MANAGE_PEOPLE,
  TOKEN_DERIVE,
]

export const LEGACY_TOKEN_PERMISSIONS: readonly Permission[] = ['location:resolve']

/** Permissions of project keys: they send data and read nothing. */
export const PROJECT_KEY_PERMISSIONS: readonly Permission[] = ['device-data:send', 'file:upload']

/** Further permissions of a project key, each of which its project has to allow. */
export const OPTIONAL_PROJECT_KEY_PERMISSIONS = [
  'location:resolve',
  'observation:contribute',
  'device:claim',
] as const satisfies readonly Permission[]

/** Permissions of a device that proves who it is, for itself. `observation:contribute` comes on top where its project allows it. */
export const DEVICE_PERMISSIONS: readonly Permission[] = [...PROJECT_KEY_PERMISSIONS, 'location:resolve']

/** Permissions of services and operators, on any organization. */
export const SERVICE_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'principal:read',
  'user:create',
  'user:delete',
  'user:change-email',
  'membership:grant',
  'pepper:read',
  'second-factor:reset',
  'audit-log:verify',
  'sign-in-policy:release',
  'partner-connection:manage',
  'dead-letter:manage',
  'project-key:import',
  'layer:relearn',
  'access-point:read',
  'access-point:import',
  'access-point:forget',
  'organization:list',
  'organization:delete',
  'organization:restore',
  'project:delete',
])

/** Permissions of admins on a deleted organization. There are no others. */
export const DELETED_ORGANIZATION_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'organization:delete',
  'organization:restore',
])
