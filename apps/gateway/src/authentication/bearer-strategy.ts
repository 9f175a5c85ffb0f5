import { Injectable, type Type } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-http-bearer'
import { REALM, attemptOf, verifyAttempt, type Attempt } from './attempt.js'
import { Authenticator, type Caller } from './authenticator.js'

/**
 * The strategy of organization tokens, and of the legacy location tokens before them. The package would also take a token
 * from the query and the body (passport-http-bearer 1.0.1, strategy.js); it is given nothing but a header that we have
 * written.
 */
export function bearerStrategy(kind: 'organization_token' | 'legacy_token'): Type {
  @Injectable()
  class BearerStrategy extends PassportStrategy(Strategy, kind) {
    constructor(private readonly authenticator: Authenticator) {
      super({ realm: REALM, passReqToCallback: true })
    }

    override authenticate(request: unknown): void {
      const attempt = attemptOf(request, kind)
      attempt.headers = { authorization: `Bearer ${attempt.credential.token}` }
      super.authenticate(attempt as never) // typed for Express; it reads headers, body and query, no more
    }

    /** Called by the package with the request it was given. */
    validate(attempt: Attempt): Promise<Caller | false> {
      return verifyAttempt(attempt, this.authenticator)
    }
  }
  return BearerStrategy
}
