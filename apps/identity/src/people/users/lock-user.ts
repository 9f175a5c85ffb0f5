import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { Prisma } from '../../generated/prisma/client.js'

/** A user's row. */
interface LockedUser {
  readonly id: string
  readonly email: string
  readonly passwordHash: string | null
}

/**
 * Lets everything about one account follow each other: its password, its API key, its memberships, its end. It comes
 * before every other lock of the same transaction, or two could wait for each other.
 *
 * @returns the account as it is now; undefined where there is none
 */
export function lockUser(transaction: Transaction, userId: string): Promise<LockedUser | undefined> {
  return lockWhere(transaction, Prisma.sql`id = ${userId}::uuid`)
}

/**
 * {@link lockUser} for who is known by their address.
 *
 * @param email lower-cased
 */
export function lockUserByEmail(transaction: Transaction, email: string): Promise<LockedUser | undefined> {
  return lockWhere(transaction, Prisma.sql`email = ${email}`)
}

/**
 * Locks the user who calls. Their claims may be from before the account was deleted.
 *
 * @throws OperationError `credential_invalid` where it is gone
 */
export async function lockCaller(transaction: Transaction, userId: string): Promise<void> {
  if (!(await lockUser(transaction, userId)))
    throw new OperationError('credential_invalid', 'The account does not exist any more.')
}

/** There is no such account. */
export function userNotFound(): OperationError {
  return new OperationError('user_not_found', 'There is no such user.')
}

/** For update, and no less: whoever writes what belongs to the account waits too. */
async function lockWhere(transaction: Transaction, condition: Prisma.Sql): Promise<LockedUser | undefined> {
  const rows = await transaction.$queryRaw<LockedUser[]>`
    SELECT id, email, password_hash AS "passwordHash" FROM users WHERE ${condition} FOR UPDATE`
  return rows[0]
}
