import { normalizeRange } from '@bearing/access/address-ranges'
import { BOUND_TOKEN_PERMISSIONS, ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import type { Mistake } from '@bearing/contracts/errors'
import {
  DEFAULT_PRESET,
  SCIM_PROVISION,
  TOKEN_PRESETS,
  type TokenPreset,
} from '@bearing/contracts/identity/tokens/token-presets'
import type { Permission } from '@bearing/contracts/permission'

interface Wanted {
  readonly preset?: TokenPreset | undefined
  readonly permissions?: readonly Permission[] | undefined
  readonly project_ids?: readonly string[] | undefined
}

/** Returns the permissions that a request asks for. Those of a preset that a bound token cannot have are left out. */
export function requestedPermissions({ preset, permissions, project_ids }: Wanted): Permission[] {
  const name = preset ?? (permissions ? undefined : DEFAULT_PRESET)
  const ofPreset: readonly Permission[] = name ? TOKEN_PRESETS[name].permissions : []
  const grantable = project_ids ? BOUND_TOKEN_PERMISSIONS : ORGANIZATION_TOKEN_PERMISSIONS
  return [
    ...new Set([...ofPreset.filter((permission) => grantable.includes(permission)), ...(permissions ?? [])]),
  ]
}

/** Returns the mistakes of a request for an organization token that its schema does not find. */
export function tokenRequestMistakes(
  request: Wanted & {
    readonly expires_at?: string | null | undefined
    readonly allowed_addresses?: readonly string[] | undefined
    readonly scim_connection_id?: string | undefined
  },
  now: Date,
): Mistake[] {
  const [kind, grantable] = request.project_ids
    ? ['an organization token that is bound to projects', BOUND_TOKEN_PERMISSIONS]
    : ['an organization token', ORGANIZATION_TOKEN_PERMISSIONS]
  const permissions = (request.permissions ?? []).flatMap((permission, index) =>
    grantable.includes(permission)
      ? []
      : [
          {
            pointer: `/permissions/${String(index)}`,
            detail: `must be one that ${kind} can have: ${grantable.join(', ')}`,
          },
        ],
  )
  const addresses = (request.allowed_addresses ?? []).flatMap((text, index) =>
    normalizeRange(text) === undefined
      ? [
          {
            pointer: `/allowed_addresses/${String(index)}`,
            detail: 'must be an IP address or a range of IP addresses, such as 192.0.2.0/24 or 2001:db8::/32',
          },
        ]
      : [],
  )
  const expired = typeof request.expires_at === 'string' && Date.parse(request.expires_at) <= now.getTime()
  const administersProjects = request.preset === 'administration' && request.project_ids
  return [
    ...permissions,
    ...(administersProjects
      ? [
          {
            pointer: '/preset',
            detail: 'must be another one: a token that is bound to projects cannot administer',
          },
        ]
      : []),
    ...(request.scim_connection_id !== undefined && !request.permissions?.includes(SCIM_PROVISION)
      ? [{ pointer: '/scim_connection_id', detail: `needs the permission ${SCIM_PROVISION}` }]
      : []),
    ...(expired ? [{ pointer: '/expires_at', detail: 'must be in the future' }] : []),
    ...addresses,
  ]
}
