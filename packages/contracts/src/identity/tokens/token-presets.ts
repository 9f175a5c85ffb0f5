import type { Permission } from '../../permission.js'
import {
  MANAGE_PEOPLE,
  MANAGER_PERMISSIONS,
  READER_PERMISSIONS,
  SEE_PEOPLE,
} from '../members/project-permissions.js'

/** Permissions of a project manager, and access points: what a token has when nothing is chosen. */
const PROJECT_MANAGER: readonly Permission[] = [
  ...(['project:list', 'access-point:read', 'access-point:import', 'access-point:export'] as const),
  ...MANAGER_PERMISSIONS,
  ...MANAGE_PEOPLE,
]

/** The permission to give and take the role admin. No preset has it: a token has it only if it is named. */
export const ADMIN_GRANT: Permission = 'admin:grant'

/** The permission of a provider that pushes users and groups by SCIM. No preset has it: such a token has it alone. */
export const SCIM_PROVISION: Permission = 'scim:provision'

/** The permission to derive weaker tokens from a token. */
export const TOKEN_DERIVE: Permission = 'organization-token:derive'

/**
 * Permissions that make a token one that administers: it needs an expiry, the admins are notified, and the policy of the organization can
 * forbid it.
 */
export const ADMINISTRATION_PERMISSIONS: readonly Permission[] = [
  'organization:rename',
  'organization-usage:read',
  'project:create',
  'project:delete',
  'member:read',
  'member:manage',
  'invitation:read',
  'invitation:create',
  'invitation:revoke',
  'invitation:resend',
  'audit-log:read',
  'location-settings:read',
  'location-settings:change',
  'access-point:forget',
  'sign-in-policy:read',
  'sso-connection:read',
  'sso-domain:read',
  'organization-token-policy:read',
  'organization-token:read',
  ADMIN_GRANT,
  SCIM_PROVISION,
]

/** Returns whether a token with these permissions administers its organization. */
export function administers(permissions: readonly string[]): boolean {
  return permissions.some((permission) => ADMINISTRATION_PERMISSIONS.some((known) => known === permission))
}

interface Preset {
  readonly text: string
  readonly hint: string
  readonly permissions: readonly Permission[]
}

/** Sets of permissions under the names that API, command line and dashboard share. The first one is the default. */
export const TOKEN_PRESETS = {
  'project-manager': {
    text: 'Project manager',
    hint: 'All that a project manager can do, in every project, and access points.',
    permissions: PROJECT_MANAGER,
  },
  reader: {
    text: 'Reader',
    hint: 'Reads projects, devices, their data and files. Changes nothing.',
    permissions: [
      ...(['project:list', 'access-point:read'] as const),
      ...READER_PERMISSIONS,
      ...(['location:resolve', 'device-data:read', 'file:download'] as const),
      SEE_PEOPLE,
    ],
  },
  'locations-only': {
    text: 'Locations only',
    hint: 'Asks for positions. It reads nothing else.',
    permissions: ['location:resolve'],
  },
  'ci-uploads': {
    text: 'CI uploads',
    hint: 'Uploads symbol files, and looks up whether they are there.',
    permissions: ['project:list', 'file:read', 'file:upload', 'symbols:upload'],
  },
  administration: {
    text: 'Administration',
    hint: 'Administers the organization: projects, members, settings. It makes nobody an admin.',
    permissions: [
      ...PROJECT_MANAGER,
      ...ADMINISTRATION_PERMISSIONS.filter(
        (permission) => permission !== ADMIN_GRANT && permission !== SCIM_PROVISION,
      ),
      TOKEN_DERIVE,
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>

export type TokenPreset = keyof typeof TOKEN_PRESETS
export const TOKEN_PRESET_NAMES = Object.keys(TOKEN_PRESETS) as [TokenPreset, ...TokenPreset[]] // its own keys
export const DEFAULT_PRESET: TokenPreset = 'project-manager'

/** Lifetime of a token for which no expiry is chosen, in days. */
export const DEFAULT_LIFETIME_DAYS = 365

/** Returns the preset with exactly these permissions. */
export function presetOf(permissions: readonly string[]): TokenPreset | undefined {
  const given = new Set(permissions)
  return TOKEN_PRESET_NAMES.find((name) => {
    const { permissions: list }: Preset = TOKEN_PRESETS[name]
    return list.length === given.size && list.every((permission) => given.has(permission))
  })
}
