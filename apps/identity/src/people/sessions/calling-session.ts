import { OperationError } from '@bearing/contracts/errors'
import type { Actor } from '@bearing/service/audit-row'

/** The id of the session that calls; undefined where it is another credential. */
export function callingSession(by: Actor): string | undefined {
  return by.kind === 'user' && by.proof === 'session' ? by.credential_id : undefined
}

/** The single sign-on connection that the calling session was started through, if any: it reaches no further. */
export function connectionOf(by: Actor): string | undefined {
  return by.kind === 'user' ? by.sso?.connection_id : undefined
}

/** What is said where there is none. */
export function noSession(message: string): OperationError {
  return new OperationError('session_not_found', message)
}
