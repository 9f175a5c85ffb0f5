import type { ErrorCode } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import type { OrganizationGrant, Principal } from '@bearing/contracts/principal'
import {
  ORGANIZATION_ROLE_PERMISSIONS,
  PERMISSION_SCOPE,
  PROJECT_ROLE_PERMISSIONS,
  SERVICE_PERMISSIONS,
  USER_PERMISSIONS,
} from './roles.js'

/** What a permission is asked for on. Null: the organization or project of the address does not exist. */
export interface Resource {
  readonly organization_id?: string | null | undefined
  readonly project_id?: string | null | undefined
}

/** Why a principal may not. The message is for the caller and says what to do. */
export interface Refusal {
  readonly code: Extract<
    ErrorCode,
    'organization_not_found' | 'project_not_found' | 'permission_denied' | 'user_required' | 'sso_required'
  >
  readonly message: string
}

const noOrganization: Refusal = {
  code: 'organization_not_found',
  message: 'There is no such organization, or the credential does not reach it.',
}
const noProject: Refusal = {
  code: 'project_not_found',
  message: 'There is no such project, or the credential does not reach it.',
}
const userRequired: Refusal = {
  code: 'user_required',
  message: 'This is for users: authenticate with an e-mail address and a user API key.',
}
const ssoRequired: Refusal = {
  code: 'sso_required',
  message:
    'The organization requires single sign-on: user API keys and passwords are not accepted for it. Sign in through its identity provider, or use an organization auth token.',
}

function denied(permission: Permission): Refusal {
  return {
    code: 'permission_denied',
    message: `The credential does not have the permission "${permission}" here.`,
  }
}

/**
 * Whether a principal may do something. Deny by default: what is not said to be allowed is refused.
 *
 * What a caller may not know to exist is refused as not found; what they know but may not touch, as denied.
 *
 * @param principal who asks
 * @param permission what for
 * @param resource on what: an organization for permissions on organizations, and a project of it for permissions on
 *   projects. The project is taken to belong to the organization: whoever reads it by id has to check that.
 * @returns undefined where it is allowed, the reason where it is not
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
      const grant = principal.grants.find((candidate) => candidate.organization_id === organization_id)
      if (!grant) return noOrganization
      if (grant.sso_required) return ssoRequired
      return scope === 'organization'
        ? refusalUnless(ORGANIZATION_ROLE_PERMISSIONS[grant.role].has(permission), permission)
        : refusalOnProject(grant, permission, project_id)
    }
    case 'organization_token':
      if (principal.organization_id !== organization_id) return noOrganization
      return refusalUnless(principal.permissions.includes(permission), permission)
    case 'project_key':
      if (principal.organization_id !== organization_id) return noOrganization
      if (scope === 'project' && principal.project_id !== project_id) return noProject
      return refusalUnless(principal.permissions.includes(permission), permission)
  }
}

function refusalOnSelf(principal: Principal, permission: Permission): Refusal | undefined {
  if (permission === 'principal:read') return undefined
  if (principal.kind !== 'user') return userRequired
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

function refusalUnless(allowed: boolean, permission: Permission): Refusal | undefined {
  return allowed ? undefined : denied(permission)
}

function projectRole(grant: OrganizationGrant, projectId: string) {
  if (grant.role === 'admin') return 'manager'
  return grant.projects.find((project) => project.project_id === projectId)?.role
}

/**
 * The projects of an organization that a principal may see.
 *
 * @returns `all`, or their ids
 */
export function visibleProjects(principal: Principal, organizationId: string): 'all' | readonly string[] {
  switch (principal.kind) {
    case 'service':
      return 'all'
    case 'organization_token':
      return principal.organization_id === organizationId ? 'all' : []
    case 'project_key':
      return principal.organization_id === organizationId ? [principal.project_id] : []
    case 'user': {
      const grant = principal.grants.find((candidate) => candidate.organization_id === organizationId)
      if (!grant || grant.sso_required) return []
      return grant.role === 'admin' ? 'all' : grant.projects.map((project) => project.project_id)
    }
  }
}
