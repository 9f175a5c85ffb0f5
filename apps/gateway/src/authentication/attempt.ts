import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import type { Authenticator, Caller, RefusalReason } from './authenticator.js'

/** Realm of the challenges. */
export const REALM = 'bearing'

/**
 * What a Passport strategy gets to see instead of the request: the one credential that was found by our own grammar. So
 * no strategy can find another one in the query, the body or a second header.
 */
export interface Attempt {
  readonly credential: PresentedCredential
  /** Whose request it is. */
  readonly askedFor: AskedFor
  /** The header that a package's strategy reads; written by us. */
  headers: { authorization?: string }
  /** Set where the credential is refused. */
  refused?: RefusalReason
}

/**
 * The attempt that a strategy was called with.
 *
 * @throws Error where the credential is of another kind: the guard names the strategy by the kind, so this is a mistake
 */
export function attemptOf<Kind extends PresentedCredential['kind']>(
  request: unknown,
  kind: Kind,
): Attempt & { readonly credential: Extract<PresentedCredential, { kind: Kind }> } {
  const attempt = request as Attempt // Passport hands through what the guard calls it with
  if (attempt.credential.kind !== kind)
    throw new Error(`a ${attempt.credential.kind} came to the strategy of ${kind}`)
  return attempt as ReturnType<typeof attemptOf<Kind>> // its kind was checked
}

/**
 * Authenticates the credential of an attempt, the way a Passport verify function does: the caller where it is right, false
 * where it is wrong (the reason is noted on the attempt).
 *
 * @throws OperationError where it cannot be told
 */
export async function verifyAttempt(attempt: Attempt, authenticator: Authenticator): Promise<Caller | false> {
  const outcome = await authenticator.authenticate(attempt.credential, attempt.askedFor)
  if (typeof outcome !== 'string') return outcome
  attempt.refused = outcome
  return false
}
