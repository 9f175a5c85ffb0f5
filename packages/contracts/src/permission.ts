import { z } from 'zod'

/**
 * Every permission. The part before the colon is what is touched, the part after it is what is done. Who holds which is
 * decided in `@bearing/access/roles`.
 */
export const PERMISSIONS = [
  // On oneself: every principal about itself, or every user about their own things.
  'principal:read',
  'organization:list',
  'organization:create',
  'user-key:read',
  'user-key:cycle',
  'user-key:delete',
  'password:change',
  'user:delete-self',
  'session:read',
  'session:end',
  'second-factor:read',
  'second-factor:change',
  'sso-identity:read',
  'sso-identity:change',
  'partner-team:read',
  'partner-team:choose',
  // On an organization.
  'project:list',
  'project:create',
  'organization-token:read',
  'organization-token:create',
  'organization-token:delete',
  'organization-token:rotate',
  'organization-token-policy:read',
  'organization-token-policy:change',
  'legacy-token:read',
  'legacy-token:import',
  'legacy-token:delete',
  'sign-in-policy:read',
  'sign-in-policy:change',
  'sso-connection:read',
  'sso-connection:manage',
  'sso-domain:read',
  'sso-domain:manage',
  'partner-link:manage',
  'access-point:read',
  'access-point:import',
  'location-settings:read',
  'location-settings:change',
  'access-point:export',
  'access-point:forget',
  'member:read',
  'member:leave',
  'member:manage',
  'invitation:read',
  'invitation:create',
  'invitation:revoke',
  'invitation:resend',
  'audit-log:read',
  // On a project.
  'project:read',
  'project-key:read',
  'project-key:cycle',
  'project-settings:read',
  'project-settings:change',
  'location:resolve',
  'observation:contribute',
  'project-member:read',
  'project-member:manage',
  'device:read',
  'device:register',
  'device:delete',
  'device-data:send',
  'device-data:read',
  'data-policy:read',
  'data-policy:change',
  'file:read',
  'file:download',
  'file:upload',
  'symbols:upload',
  'webhook:read',
  'webhook:manage',
  // Of services and operators, never of people, tokens or devices.
  'user:create',
  'user:delete',
  'membership:grant',
  'pepper:read',
  'second-factor:reset',
  'audit-log:verify',
  'sign-in-policy:release',
  'partner-connection:manage',
  'dead-letter:manage',
  'layer:relearn',
] as const

/** A permission. */
export const Permission = z.enum(PERMISSIONS).meta({ id: 'Permission' })
export type Permission = z.infer<typeof Permission>

/** What a permission is held on: oneself, an organization, or a project. */
export type PermissionScope = 'self' | 'organization' | 'project' | 'system'
