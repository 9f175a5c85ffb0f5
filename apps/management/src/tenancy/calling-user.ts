import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'

/**
 * The user who calls.
 *
 * @throws OperationError `user_required`; where only users hold the permission this never happens
 */
export function callingUser(by: Principal): { readonly userId: string } {
  if (by.kind === 'user') return { userId: by.user_id }
  throw new OperationError(
    'user_required',
    'This is for users: authenticate with an e-mail address and a user API key.',
  )
}
