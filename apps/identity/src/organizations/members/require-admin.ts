import { OperationError } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import type { Transaction } from '../../ground/database.js'
import { lockAdmins } from '../../ground/locks.js'

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
