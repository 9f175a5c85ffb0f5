import { ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import type { Mistake } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'

/**
 * What is wrong with the request for an organization token, beyond its form: it may ask for nothing that no token can
 * have, and must not have expired before it exists.
 */
export function tokenRequestMistakes(
  request: {
    readonly permissions?: readonly Permission[] | undefined
    readonly expires_at?: string | undefined
  },
  now: Date,
): Mistake[] {
  const permissions = (request.permissions ?? []).flatMap((permission, index) =>
    ORGANIZATION_TOKEN_PERMISSIONS.includes(permission)
      ? []
      : [
          {
            pointer: `/permissions/${String(index)}`,
            detail: `must be one that an organization token can have: ${ORGANIZATION_TOKEN_PERMISSIONS.join(', ')}`,
          },
        ],
  )
  const expired = request.expires_at !== undefined && Date.parse(request.expires_at) <= now.getTime()
  return expired
    ? [...permissions, { pointer: '/expires_at', detail: 'must lie in the future' }]
    : permissions
}
