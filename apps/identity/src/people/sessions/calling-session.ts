import { OperationError } from '@bearing/contracts/errors'
import type { Actor } from '@bearing/service/audit/audit-row'

export function callingSession(by: Actor): string | undefined {
  return by.kind === 'user' && by.proof === 'session' ? by.credential_id : undefined
}

/** Returns the single sign-on connection that the calling session was started through: it reaches no further. */
export function connectionOf(by: Actor): string | undefined {
  return by.kind === 'user' ? by.sso?.connection_id : undefined
}

/** Returns the actor of what a session of a user does before its first call. */
export function bySession(userId: string, sessionId: string): Actor {
  return {
    ...{ kind: 'user', user_id: userId, email: '', credential_id: sessionId, proof: 'session', grants: [] },
  }
}

/** The caller has no such session, or called with another credential. */
export function noSession(message: string): OperationError {
  return new OperationError('session_not_found', message)
}
