import { signerOf } from '@bearing/access/device-tokens'
import type { AskedFor, ClaimsScope } from '@bearing/client-nats/credential-cache'
import { IdentityClient } from '@bearing/client-nats/identity-client'
import type { Introspected, PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { FailedCredentials } from '../ground/limits/failed-credentials.js'
import type { Caller } from '../ground/route-config.js'
import { refusedCredential } from './refused-credential.js'
import { Inject, Injectable } from '@nestjs/common'

/** Finds the caller behind a credential, in the cache or at identity. */
@Injectable()
export class Authenticator {
  constructor(
    @Inject(IdentityClient)
    private readonly identity: Pick<IdentityClient, 'claimsOf' | 'introspect' | 'keyOf' | 'recall'>,
    private readonly failures: FailedCredentials,
  ) {}

  /**
   * Returns the caller of a cached credential; undefined if only identity can say who that is.
   *
   * @param askedFor the request that presents the credential
   * @throws OperationError if the credential is known to be wrong
   */
  recall(credential: PresentedCredential, askedFor: AskedFor): Caller | undefined {
    const known = this.identity.recall(credential, askedFor)
    return known && callerOf(known, credential)
  }

  /**
   * Asks identity for the caller. The Passport strategies call this to validate what they have extracted.
   *
   * @param askedFor the request that presents the credential
   * @throws OperationError if the credential is wrong; `rate_limited` if too many wrong ones were sent; with status 503 if
   *   identity cannot say, which must never look like a wrong credential
   */
  async introspect(credential: PresentedCredential, askedFor: AskedFor): Promise<Caller> {
    const key = this.identity.keyOf(countedAs(credential))
    const { clientAddress = '' } = askedFor
    await this.failures.refuse(clientAddress, key)
    const answer = await this.identity.introspect(credential, askedFor)
    await this.failures.note(clientAddress, key, isNoGuess(answer))
    return callerOf(answer, credential)
  }

  /**
   * Returns signed claims about a caller, for one service; without a promise if they are cached.
   *
   * @throws OperationError as {@link introspect}
   */
  claimsOf(
    credential: PresentedCredential,
    caller: Caller,
    scope: ClaimsScope,
    askedFor: AskedFor,
  ): string | Promise<string> {
    const claims = this.identity.claimsOf(credential, caller, scope, askedFor)
    return typeof claims === 'string' ? claims : claims.then((fetched) => signed(fetched, credential))
  }
}

/**
 * Devices sign a new token for each request: the signer counts as wrong or right, not the token. Otherwise one device whose key was
 * revoked would use up the limit of its network.
 */
function countedAs(credential: PresentedCredential): PresentedCredential {
  return credential.kind === 'device_token'
    ? { ...credential, token: signerOf(credential.token) }
    : credential
}

function signed(
  fetched: string | Extract<Introspected, { active: false }>,
  { kind }: PresentedCredential,
): string {
  if (typeof fetched === 'string') return fetched
  throw refusedCredential(kind, fetched.because ?? fetched.reason)
}

function callerOf(answer: Introspected, { kind }: PresentedCredential): Caller {
  if (answer.active) return answer
  throw refusedCredential(kind, answer.because ?? answer.reason)
}

/** A credential that has expired, or is refused for a reason of its own, was not a guess. */
function isNoGuess(answer: Introspected): boolean {
  return answer.active || answer.reason === 'expired' || answer.because !== undefined
}
