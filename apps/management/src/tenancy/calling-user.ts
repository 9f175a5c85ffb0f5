import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'

/**
 * Returns the user who calls.
 *
 * @throws OperationError `user_required`; never if only users hold the permission
 */
export function callingUser(by: Principal): { readonly userId: string } {
  if (by.kind === 'user') return { userId: by.user_id }
  throw new OperationError(
    'user_required',
    'This operation is for users. Authenticate with an email address and a user API key.',
  )
}
