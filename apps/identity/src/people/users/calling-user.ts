import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'

/**
 * Returns the calling user.
 *
 * @throws OperationError `user_required`; never if only users can have the permission
 */
export function callingUser(by: Principal): { readonly userId: string; readonly email: string } {
  if (by.kind === 'user') return { userId: by.user_id, email: by.email }
  throw new OperationError(
    'user_required',
    'This is for users: authenticate with an e-mail address and a user API key.',
  )
}

/**
 * Locks the account of the calling user, whose claims may be older than its deletion.
 *
 * @throws OperationError `credential_invalid` if the account was deleted
 */
export async function lockCaller(transaction: Transaction, userId: string): Promise<void> {
  if (!(await lockUser(transaction, userId)))
    throw new OperationError('credential_invalid', 'The account does not exist anymore.')
}

/** The account does not exist. */
export function userNotFound(): OperationError {
  return new OperationError('user_not_found', 'There is no such user.')
}
