import type { Transaction } from '../../ground/database.js'
import { lockCaller } from '../../people/users/calling-user.js'
import { SHOWN, type ShownKey } from './user-key-row.js'

/**
 * Deletes the API key of the calling user. Concurrent changes of the key run one after the other.
 *
 * @returns undefined if the user had no key
 * @throws OperationError `credential_invalid` if the account was deleted
 */
export async function deleteCurrentKey(
  transaction: Transaction,
  userId: string,
): Promise<ShownKey | undefined> {
  await lockCaller(transaction, userId)
  const key = await transaction.userKey.findUnique({ where: { userId }, select: SHOWN })
  if (!key) return undefined
  await transaction.userKey.delete({ where: { id: key.id } })
  return key
}
