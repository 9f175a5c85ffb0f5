import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'

/** Refuses changes of second factors by an API key alone: it may be older than the factors, and was created without them. */
export function refuseApiKey(by: Principal): void {
  if (by.kind === 'user' && by.proof === 'api_key')
    throw new OperationError(
      'recent_sign_in_required',
      'An API key alone cannot change second factors. Sign in with a browser, and repeat it there.',
    )
}
