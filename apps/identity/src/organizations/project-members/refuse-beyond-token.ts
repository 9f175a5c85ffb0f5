import { PROJECT_ROLE_PERMISSIONS } from '@bearing/access/roles'
import { OperationError } from '@bearing/contracts/errors'
import { isOrganizationToken, type Principal, type ProjectRole } from '@bearing/contracts/principal'

/**
 * Refuses an organization token that changes the role of an admin of the organization, or gives or removes a role with
 * permissions that the token does not have. Users are not limited: they need to manage the project.
 *
 * @param roles the new role and the one before, as far as there are any
 * @throws OperationError `permission_denied`
 */
export function refuseBeyondToken(
  by: Principal,
  isAdmin: boolean,
  roles: readonly (ProjectRole | undefined)[],
): void {
  if (!isOrganizationToken(by)) return
  if (isAdmin)
    throw new OperationError(
      'permission_denied',
      'The user is an admin of the organization. An organization auth token cannot change roles of admins.',
    )
  const has: ReadonlySet<string> = new Set(by.project_binding?.permissions ?? by.permissions)
  for (const role of roles)
    if (role && [...PROJECT_ROLE_PERMISSIONS[role]].some((permission) => !has.has(permission)))
      throw new OperationError(
        'permission_denied',
        `The organization auth token does not have every permission of the role "${role}", so it can neither give nor remove it.`,
      )
}
