import type { ErrorCode } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import {
  isOrganizationToken,
  ORGANIZATION_TOKEN,
  type DeviceLogins,
  type OrganizationGrant,
  type OrganizationTokenPrincipal,
  type Principal,
  type UserPrincipal,
} from '@bearing/contracts/principal'
import { hasSecondFactor, secondFactorRefusal } from './second-factor.js'
import { acceptsUser } from './device-logins.js'
import {
  BOUND_TOKEN_PERMISSIONS,
  DELETED_ORGANIZATION_PERMISSIONS,
  ORGANIZATION_ROLE_PERMISSIONS,
  ORGANIZATION_TOKEN_PERMISSIONS,
  PERMISSION_SCOPE,
  PROJECT_ROLE_PERMISSIONS,
  SERVICE_PERMISSIONS,
  SSO_REPAIR_PERMISSIONS,
  SSO_USER_PERMISSIONS,
  USER_PERMISSIONS,
} from './roles.js'

/** The refusal of a project key alone, where its project requires device identity. */
const deviceIdentityRequired = {
  code: 'device_identity_required',
  message:
    'The project accepts only devices that prove who they are. Register a public key of the device, and send a token that it signs (/docs/device-identity).',
} as const

/** The resource of a permission. Null: the organization or project does not exist. */
export interface Resource {
  readonly organization_id?: string | null | undefined
  readonly project_id?: string | null | undefined
}

/** A refusal of a principal. The message is for the caller and says what to do. */
export interface Refusal {
  readonly code: Extract<
    ErrorCode,
    | 'organization_not_found'
    | 'organization_deleted'
    | 'project_not_found'
    | 'permission_denied'
    | 'user_required'
    | 'sso_required'
    | 'second_factor_required'
    | 'device_login_refused'
    | 'device_identity_required'
  >
  readonly message: string
}

const noOrganization: Refusal = {
  code: 'organization_not_found',
  message: 'There is no such organization, or the credential does not reach it.',
}
const organizationDeleted: Refusal = {
  code: 'organization_deleted',
  message:
    'The organization was deleted. One of its admins can restore it until its erasure (GET /api/v0/deleted_organizations).',
}
const noProject: Refusal = {
  code: 'project_not_found',
  message: 'There is no such project, or the credential does not reach it.',
}
const userRequired: Refusal = {
  code: 'user_required',
  message: 'This is for users: authenticate with an email address and a user API key.',
}
const ssoRequired: Refusal = {
  code: 'sso_required',
  message:
    'The organization requires single sign-on: user API keys and passwords are not accepted for it. Sign in through its identity provider, or use an organization auth token.',
}
const deviceLoginRefused = (rule: DeviceLogins): Refusal => ({
  code: 'device_login_refused',
  message: `The organization accepts ${rule === 'same-network' ? 'sessions of command lines only if they were allowed from the same network' : 'no sessions of command lines'}. Use an API key or an organization auth token.`,
})

const notBySso: Refusal = {
  code: 'permission_denied',
  message:
    'A session of single sign-on cannot change the account itself. Sign in with the password of the account.',
}

/** @param advice a sentence that says how to get it */
function denied(permission: Permission, advice = ''): Refusal {
  const message = `The credential does not have the permission "${permission}" here.`
  return { code: 'permission_denied', message: advice === '' ? message : `${message} ${advice}` }
}

/**
 * Returns why a principal does not have a permission on a resource; undefined if it does. Denies by default. A resource that the
 * caller may not know of is refused as not found, others as denied.
 *
 * @param resource the organization, and for permissions on projects the project. Callers check that the project belongs to the
 *   organization.
 */
export function refusal(
  principal: Principal,
  permission: Permission,
  resource: Resource,
): Refusal | undefined {
  const scope = PERMISSION_SCOPE[permission]
  if (principal.kind === 'service')
    return SERVICE_PERMISSIONS.has(permission) ? undefined : denied(permission)
  if (scope === 'system') return denied(permission)
  if (scope === 'self') return refusalOnSelf(principal, permission)

  const { organization_id, project_id } = resource
  if (!organization_id) return noOrganization
  if (scope === 'project' && !project_id && principal.kind !== 'user')
    return principal.organization_id === organization_id ? noProject : noOrganization

  switch (principal.kind) {
    case 'user': {
      const grant = grantOn(principal, organization_id)
      if (!grant) return refusalOnDeleted(principal, permission, organization_id)
      const unmet = refusalByRules(principal, grant, permission)
      if (unmet) return unmet
      return scope === 'organization'
        ? refusalUnless(ORGANIZATION_ROLE_PERMISSIONS[grant.role].has(permission), permission)
        : refusalOnProject(grant, permission, project_id)
    }
    case ORGANIZATION_TOKEN:
      if (principal.organization_id !== organization_id) return noOrganization
      return refusalOfToken(principal, permission, project_id)
    case 'project_key':
    case 'device':
      if (principal.organization_id !== organization_id) return noOrganization
      if (scope === 'project' && principal.project_id !== project_id) return noProject
      // Such a key may claim.
      if ('device_identity_required' in principal && permission !== 'device:claim')
        return deviceIdentityRequired
      return refusalUnless(principal.permissions.includes(permission), permission, adviceForKey(permission))
  }
  // A kind of principal that only a newer version of identity knows.
  return denied(permission)
}

function refusalOfToken(
  { permissions, project_binding: binding }: OrganizationTokenPrincipal,
  permission: Permission,
  projectId: string | null | undefined,
): Refusal | undefined {
  if (!binding) {
    // Removing a member is the operation by which users leave. Its handler requires `member:manage` of a token.
    const needed = permission === 'member:leave' ? 'member:manage' : permission
    return refusalUnless(permissions.includes(needed), needed, adviceForToken(needed))
  }
  if (PERMISSION_SCOPE[permission] === 'project' && !(projectId && binding.project_ids.includes(projectId)))
    return noProject
  return refusalUnless(
    BOUND_TOKEN_PERMISSIONS.includes(permission) && binding.permissions.includes(permission),
    permission,
    adviceForToken(permission),
  )
}

function adviceForToken(permission: Permission): string {
  return ORGANIZATION_TOKEN_PERMISSIONS.includes(permission)
    ? ''
    : 'No organization token has it: authenticate as a user.'
}

/** Settings of the project that give its key another permission. */
const KEY_SETTINGS: Partial<Record<Permission, string>> = {
  'location:resolve': 'look-ups in the settings of the project (project_key_may_locate)',
  'observation:contribute': 'contributions in the settings of the project (project_key_may_contribute)',
  'device:claim': 'claims in the settings of the project (device_claims)',
}

function adviceForKey(permission: Permission): string {
  const setting = KEY_SETTINGS[permission]
  return setting === undefined ? '' : `A manager can allow the key ${setting}.`
}

function tokenPermissions({
  permissions,
  project_binding,
}: OrganizationTokenPrincipal): readonly Permission[] {
  return project_binding?.permissions ?? permissions
}

/** A session of single sign-on has only the grant on the organization of its connection. */
function grantOn(
  { grants, sso }: Pick<UserPrincipal, 'grants' | 'sso'>,
  organizationId: string,
): OrganizationGrant | undefined {
  if (sso && sso.organization_id !== organizationId) return undefined
  return grants.find((candidate) => candidate.organization_id === organizationId)
}

/** A deleted organization can only be restored or erased, by its admins. */
function refusalOnDeleted(
  user: UserPrincipal,
  permission: Permission,
  organizationId: string,
): Refusal | undefined {
  const grant = grantOn({ ...user, grants: user.deleted_grants ?? [] }, organizationId)
  if (!grant) return noOrganization
  if (!DELETED_ORGANIZATION_PERMISSIONS.has(permission)) return organizationDeleted
  return (
    refusalByRules(user, grant, permission) ??
    refusalUnless(ORGANIZATION_ROLE_PERMISSIONS[grant.role].has(permission), permission)
  )
}

/** Applies the sign-in rules of the organization. */
function refusalByRules(
  user: UserPrincipal,
  grant: OrganizationGrant,
  permission?: Permission,
): Refusal | undefined {
  if (grant.sso_required && !cameThrough(user, grant) && !mayRepair(user, grant, permission))
    return ssoRequired
  // The organization's own provider is trusted with the second factor.
  if (!cameThrough(user, grant)) {
    const refusal = secondFactorRefusal(user, grant)
    if (refusal) return refusal
  }
  const { device_logins: rule = 'on' } = grant
  return acceptsUser(rule, user) ? undefined : deviceLoginRefused(rule)
}

/** Returns whether the session was started through a provider of this organization. */
function cameThrough({ proof, methods = [], sso }: UserPrincipal, grant: OrganizationGrant): boolean {
  return proof === 'session' && methods.includes('sso') && sso?.organization_id === grant.organization_id
}

/** Returns whether it is an admin in a session with a second factor, who repairs the connection. */
function mayRepair(user: UserPrincipal, { role }: OrganizationGrant, permission?: Permission): boolean {
  if (!permission || !SSO_REPAIR_PERMISSIONS.has(permission)) return false
  return role === 'admin' && user.proof === 'session' && !user.sso && hasSecondFactor(user)
}

function refusalOnSelf(principal: Principal, permission: Permission): Refusal | undefined {
  if (permission === 'principal:read') return undefined
  // The first call of many clients. The token of an organization lists that organization.
  if (isOrganizationToken(principal) && permission === 'organization:list')
    return refusalUnless(tokenPermissions(principal).includes('project:list'), permission)
  if (principal.kind !== 'user') return userRequired
  if (principal.sso && !SSO_USER_PERMISSIONS.has(permission)) return notBySso
  return refusalUnless(USER_PERMISSIONS.has(permission), permission)
}

function refusalOnProject(
  grant: OrganizationGrant,
  permission: Permission,
  projectId: string | null | undefined,
): Refusal | undefined {
  if (!projectId) return noProject
  const role = projectRole(grant, projectId)
  if (!role) return noProject
  return refusalUnless(PROJECT_ROLE_PERMISSIONS[role].has(permission), permission)
}

function refusalUnless(allowed: boolean, permission: Permission, advice = ''): Refusal | undefined {
  return allowed ? undefined : denied(permission, advice)
}

function projectRole(grant: OrganizationGrant, projectId: string) {
  if (grant.role === 'admin') return 'manager'
  return grant.projects.find((project) => project.project_id === projectId)?.role
}

/** Returns the ids of the projects that a principal may see in an organization, or `all`. */
export function visibleProjects(principal: Principal, organizationId: string): 'all' | readonly string[] {
  switch (principal.kind) {
    case 'service':
      return 'all'
    case ORGANIZATION_TOKEN:
      if (principal.organization_id !== organizationId) return []
      return principal.project_binding?.project_ids ?? 'all'
    case 'project_key':
    case 'device':
      return principal.organization_id === organizationId ? [principal.project_id] : []
    case 'user': {
      const grant = grantOn(principal, organizationId)
      if (!grant || refusalByRules(principal, grant)) return []
      return grant.role === 'admin' ? 'all' : grant.projects.map((project) => project.project_id)
    }
  }
}
