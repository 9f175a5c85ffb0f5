import { isAllowedFrom } from '@bearing/access/allowed-from'
import { refuse } from '@bearing/access/decide'
import { IdentityClient } from '@bearing/client-nats/identity-client'
import { ERRORS, OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-strategy'
import { claimsIn, credentialIn } from './credentials.js'
import type { BearingRequest } from './request.js'
import { Verifier } from './verifier.js'

type Done = (error: unknown, caller?: Principal | false | null) => void

/** A Passport strategy that reads the headers of any request. Without a credential it fails; what cannot be verified is an error. */
class RequestStrategy extends Strategy {
  constructor(private readonly verify: (request: BearingRequest, done: Done) => void) {
    super()
  }

  override authenticate(request: unknown): void {
    this.verify(request as BearingRequest, (error, caller) => {
      if (error)
        this.error(error as Error) // Passport passes it on
      else if (caller) this.success(caller)
      else this.fail(401)
    })
  }
}

/** Verifies claims offline: `bearing-claims`. */
@Injectable()
export class ClaimsStrategy extends PassportStrategy(RequestStrategy, 'bearing-claims') {
  constructor(private readonly verifier: Verifier) {
    super()
  }

  async validate(request: BearingRequest): Promise<Principal | undefined> {
    const claims = claimsIn(request)
    return claims === undefined ? undefined : this.verifier.verify(claims)
  }
}

/** Asks identity about any credential, and verifies claims offline: `bearing`. */
@Injectable()
export class BearingStrategy extends PassportStrategy(RequestStrategy, 'bearing') {
  constructor(
    private readonly verifier: Verifier,
    private readonly identity: IdentityClient,
  ) {
    super()
  }

  async validate(request: BearingRequest): Promise<Principal | undefined> {
    const claims = claimsIn(request)
    return claims === undefined ? holderOf(request, this.identity) : this.verifier.verify(claims)
  }
}

async function holderOf(request: BearingRequest, identity: IdentityClient): Promise<Principal | undefined> {
  const credential = credentialIn(request)
  if (!credential) return undefined
  const answer = await identity.introspect(credential, { clientAddress: request.ip })
  if (!answer.active) throw refused(refuse(answer.because ?? answer.reason), credential)
  if (isAllowedFrom(answer.principal, request.ip)) return answer.principal
  throw new OperationError('address_not_allowed', 'The token may not be used from this IP address.')
}

/** Devices erase their credentials on 401: what they send is refused with 403. */
export function refused(
  { code, reason }: ReturnType<typeof refuse>,
  credential: { readonly kind: string } | undefined,
): OperationError {
  const ofDevices =
    credential?.kind === 'project_key'
      ? 'project_key_invalid'
      : credential?.kind === 'device_token'
        ? 'device_token_invalid'
        : undefined
  return new OperationError(ofDevices && ERRORS[code].status === 401 ? ofDevices : code, reason)
}
