import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-http-bearer'
import { REALM, attemptOf, verifyAttempt, type Attempt } from './attempt.js'
import { Authenticator, type Caller } from './authenticator.js'

/** Legacy location tokens, with the same care as organization tokens (see OrganizationTokenStrategy). */
@Injectable()
export class LegacyTokenStrategy extends PassportStrategy(Strategy, 'legacy_token') {
  constructor(private readonly authenticator: Authenticator) {
    super({ realm: REALM, passReqToCallback: true })
  }

  override authenticate(request: unknown): void {
    const attempt = attemptOf(request, 'legacy_token')
    attempt.headers = { authorization: `Bearer ${attempt.credential.token}` }
    super.authenticate(attempt as never) // typed for Express; it reads headers, body and query, no more
  }

  /** Called by the package with the request it was given. */
  validate(attempt: Attempt): Promise<Caller | false> {
    return verifyAttempt(attempt, this.authenticator)
  }
}
