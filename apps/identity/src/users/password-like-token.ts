import { tokenKind } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'

/**
 * Refuses a password that begins like a token: introspection would take it for an API key, so nobody could ever log in
 * with it.
 *
 * @throws OperationError `invalid_input`
 */
export function refusePasswordLikeToken(password: string): void {
  if (!tokenKind(password)) return
  const mistake = { pointer: '/password', detail: 'must not begin like a token of Bearing' }
  throw new OperationError('invalid_input', `${mistake.pointer} ${mistake.detail}`, { errors: [mistake] })
}
