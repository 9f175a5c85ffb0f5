import { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import { proofRequest } from './proof-request.js'

/** Calls the gateway that this page came from, with the session cookie of the browser. */
export const client = new BearingClient({
  url: window.location.origin,
  credential: { kind: 'session' },
  prove: () => proofRequest.ask(),
})

/** Returns true if an error says that the session has ended, or that there is none. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401 && error.code.startsWith('credential_')
}

/** Returns true if the server has answered at all. If not, a change may have happened. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof ProblemError
}
