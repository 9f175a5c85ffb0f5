import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { IdentityClient } from '@bearing/client-nats/identity-client'
import type { Introspected, PresentedCredential } from '@bearing/contracts/identity/credential'
import type { FailedCredentials } from '../limits/failed-credentials.js'

/** Somebody whose credential was found valid: the principal, and signed claims about it for the services. */
export type Caller = Pick<Extract<Introspected, { active: true }>, 'principal' | 'claims'>

/** Why a credential is refused. */
export type RefusalReason = 'malformed' | 'unknown' | 'expired' | 'second_factor_required'

/** Tells who holds a credential, from memory or by asking identity. */
export class Authenticator {
  constructor(
    private readonly identity: IdentityClient,
    private readonly failures: FailedCredentials,
  ) {}

  /**
   * The holder of a credential.
   *
   * @param askedFor whose request it is
   * @returns the caller, or why the credential is refused
   * @throws OperationError (status 503) where it cannot be told: that must never look like a refusal; `rate_limited` where
   *   too many wrong ones were tried
   */
  async authenticate(credential: PresentedCredential, askedFor: AskedFor): Promise<Caller | RefusalReason> {
    const answer = this.identity.recall(credential) ?? (await this.ask(credential, askedFor))
    return answer.active ? answer : (answer.because ?? answer.reason)
  }

  private async ask(credential: PresentedCredential, askedFor: AskedFor): Promise<Introspected> {
    const key = this.identity.keyOf(credential)
    const { clientAddress = '' } = askedFor
    await this.failures.refuse(clientAddress, key)
    const answer = await this.identity.introspect(credential, askedFor)
    await this.failures.note(clientAddress, key, isNoGuess(answer))
    return answer
  }
}

/** What has expired, or is refused for a reason of its own, was right all the same. */
function isNoGuess(answer: Introspected): boolean {
  return answer.active || answer.reason === 'expired' || answer.because !== undefined
}
