import { OperationError } from '@bearing/contracts/errors'
import { ADMIN_GRANT } from '@bearing/contracts/identity/tokens/token-presets'
import type { Permission } from '@bearing/contracts/permission'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { holdToken, lockAdmins } from '../../ground/locks.js'
import { callingUser } from '../../people/users/calling-user.js'

/**
 * Locks the admins of an organization and refuses users who are not one of them now: their claims may be a minute old.
 *
 * @returns the user ids of the admins
 * @throws OperationError `permission_denied`
 */
export async function requireAdmin(
  transaction: Transaction,
  organizationId: string,
  userId: string,
  permission: Permission = 'member:manage',
): Promise<ReadonlySet<string>> {
  const admins = await lockAdmins(transaction, organizationId)
  if (!admins.has(userId)) throw permissionDenied(permission)
  return admins
}

/** A caller who administers an organization now. */
export interface Administrator {
  /** The user ids of the admins, which are locked. */
  readonly admins: ReadonlySet<string>
  /** The user, or the one who created the token. */
  readonly userId: string
  /** The credential that a token comes from: itself, or the first one that it was derived from. Null for users. */
  readonly rootId: string | null
}

/**
 * Like {@link requireAdmin}, for users and for tokens with the permission. A token is not deleted until the transaction ends.
 *
 * @throws OperationError `permission_denied`
 */
export async function requireAdministrator(
  transaction: Transaction,
  organizationId: string,
  by: Principal,
  permission: Permission,
): Promise<Administrator> {
  if (!isOrganizationToken(by)) {
    const { userId } = callingUser(by)
    return {
      admins: await requireAdmin(transaction, organizationId, userId, permission),
      userId,
      rootId: null,
    }
  }
  const admins = await lockAdmins(transaction, organizationId)
  const token = await holdToken(transaction, by.credential_id)
  if (!token || !by.permissions.includes(permission)) throw permissionDenied(permission)
  return { admins, userId: token.createdBy, rootId: token.ancestors[0] ?? by.credential_id }
}

/**
 * Refuses a token that gives or takes the role admin, unless it was created with the permission named for that.
 *
 * @throws OperationError `permission_denied`
 */
export function requireAdminGrant(by: Principal): void {
  if (isOrganizationToken(by) && !by.permissions.includes(ADMIN_GRANT)) throw permissionDenied(ADMIN_GRANT)
}

/** The caller does not have the permission, or not anymore. */
export function permissionDenied(permission: Permission): OperationError {
  return new OperationError(
    'permission_denied',
    `The credential does not have the permission "${permission}" here.`,
  )
}

/** @throws OperationError `last_admin` if a user is the only admin */
export function refuseLastAdmin(admins: ReadonlySet<string>, userId: string): void {
  if (admins.size === 1 && admins.has(userId))
    throw new OperationError(
      'last_admin',
      'The organization would be without an admin. Make another member an admin first.',
    )
}
