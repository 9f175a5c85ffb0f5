import type { Transaction } from '../../ground/database.js'
import { lockCaller } from '../../people/users/lock-user.js'
import { SHOWN, type ShownKey } from './user-key-row.js'

/**
 * Takes away the key of a user. Whoever else changes the user's key waits until this transaction ends: so of two who
 * cycle at once the later one finds the key of the earlier one, and takes it away.
 *
 * @returns undefined where the user had none
 * @throws OperationError `credential_invalid` where the account is gone
 */
export async function takeUserKey(transaction: Transaction, userId: string): Promise<ShownKey | undefined> {
  await lockCaller(transaction, userId)
  const key = await transaction.userKey.findUnique({
    where: { userId },
    select: SHOWN,
  })
  if (!key) return undefined
  await transaction.userKey.delete({ where: { id: key.id } })
  return key
}
