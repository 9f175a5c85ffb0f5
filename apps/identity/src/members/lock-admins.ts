import { OperationError } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import type { Transaction } from '../database.js'

/**
 * The admins of an organization, by user id. Whoever asks next waits until this transaction ends, and then sees what it
 * has left: so of two admins who remove each other, the later one finds that they are no admin any more.
 */
export async function lockAdmins(
  transaction: Transaction,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  // Always in the same order, or two could wait for each other.
  const rows = await transaction.$queryRaw<{ readonly userId: string }[]>`
    SELECT user_id AS "userId" FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND role = 'admin'
    ORDER BY user_id
    FOR NO KEY UPDATE`
  return new Set(rows.map(({ userId }) => userId))
}

/**
 * Refuses who is no admin now, whatever their claims say: those may be up to a minute old.
 *
 * @throws OperationError `permission_denied`
 */
export function refuseUnlessAdmin(admins: ReadonlySet<string>, userId: string): void {
  const permission: Permission = 'member:manage'
  if (!admins.has(userId))
    throw new OperationError(
      'permission_denied',
      `The credential does not have the permission "${permission}" here.`,
    )
}

/**
 * Refuses to take the role from the only admin: nobody could give it back.
 *
 * @throws OperationError `last_admin`
 */
export function refuseLastAdmin(admins: ReadonlySet<string>, userId: string): void {
  if (admins.size === 1 && admins.has(userId))
    throw new OperationError(
      'last_admin',
      'The organization would be without an admin. Make somebody else an admin first.',
    )
}
