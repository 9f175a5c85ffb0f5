import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import type { IdentityClient } from '@bearing/client-nats/identity-client'
import { OperationError } from '@bearing/contracts/errors'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import type { Principal } from '@bearing/contracts/principal'
import type { BearingOptions } from './options.js'

/** Time limit for a gateway to return its keys, in milliseconds. */
const TIMEOUT_MS = 3_000

/** Verifies signed claims, offline. */
export class Verifier {
  private readonly keys: ClaimsVerifier | undefined
  /** The service that claims must be made for. */
  readonly audience: string

  /** @param identity missing: the keys are those of a gateway */
  constructor(
    options: BearingOptions,
    private readonly identity: IdentityClient | undefined,
  ) {
    this.audience = options.audience ?? ('nats' in options ? options.nats.name : '')
    this.keys = 'jwksUrl' in options ? new ClaimsVerifier(() => readKeys(options.jwksUrl)) : undefined
  }

  /**
   * @throws OperationError `credential_invalid` if the claims are not valid, or were made for another service; with status 503 if
   *   the keys cannot be read
   */
  async verify(claims: string): Promise<Principal> {
    if (this.identity) return this.identity.verifyClaims(claims, this.audience)
    try {
      if (!this.keys) throw new Error('there are no keys')
      return await this.keys.verify(claims, [this.audience])
    } catch (error) {
      if (error instanceof OperationError) throw error
      throw unverifiable(error)
    }
  }
}

export async function readKeys(url: string) {
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
  if (!reply.ok) throw new Error(`${url} answered ${String(reply.status)}`)
  return getJwks.output.parse(await reply.json())
}

/** Returns the error for a caller that cannot be verified now. It is never 401: devices erase their credentials on 401. */
export function unverifiable(cause: unknown): OperationError {
  const message = 'The credential cannot be verified at the moment. Try again shortly.'
  return new OperationError('service_unavailable', message, { retry_after: 1 }, { cause })
}
