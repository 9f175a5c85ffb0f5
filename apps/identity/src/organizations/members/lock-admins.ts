import { OperationError } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import type { Transaction } from '../../ground/database.js'
import type { Place } from '../../ground/events/membership-changes.js'

/**
 * The admins of an organization, by user id. Whoever asks next waits until this transaction ends, and then sees what it
 * has left: so of two admins who remove each other, the later one finds that they are no admin any more.
 *
 * Who locks a user too locks the user first: else two could wait for each other.
 */
export async function lockAdmins(
  transaction: Transaction,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const admins = await lockAdminsOf(transaction, [organizationId])
  return new Set(admins.map(({ userId }) => userId))
}

/** The admins of several organizations, as {@link lockAdmins} has those of one. */
export async function lockAdminsOf(
  transaction: Transaction,
  organizationIds: readonly string[],
): Promise<readonly Place[]> {
  // Always in the same order, or two could wait for each other.
  return transaction.$queryRaw<Place[]>`
    SELECT organization_id AS "organizationId", user_id AS "userId" FROM memberships
    WHERE organization_id = ANY(${[...organizationIds]}::uuid[]) AND role = 'admin'
    ORDER BY organization_id, user_id
    FOR NO KEY UPDATE`
}

/**
 * Refuses who is no admin now, whatever their claims say: those may be up to a minute old.
 *
 * @throws OperationError `permission_denied`
 */
export function refuseUnlessAdmin(
  admins: ReadonlySet<string>,
  userId: string,
  permission: Permission = 'member:manage',
): void {
  if (!admins.has(userId)) throw permissionDenied(permission)
}

/** The caller may not do it, or no more. */
export function permissionDenied(permission: Permission): OperationError {
  return new OperationError(
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
