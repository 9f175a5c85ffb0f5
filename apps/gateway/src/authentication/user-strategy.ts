import { Buffer } from 'node:buffer'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { BasicStrategy } from 'passport-http'
import { REALM, attemptOf, verifyAttempt, type Attempt } from './attempt.js'
import { Authenticator, type Caller } from './authenticator.js'

/** What the package may read: neither part is empty or holds a ":". */
const PLACEHOLDER = `Basic ${Buffer.from('user:secret').toString('base64')}`

/**
 * User API keys and account passwords. The package cuts a password at its first ":" and takes `NotBasicAtAll` for Basic
 * (passport-http 0.3.0, strategies/basic.js); it is given a placeholder, and the credential itself is taken from
 * our own grammar.
 */
@Injectable()
export class UserStrategy extends PassportStrategy(BasicStrategy, 'user') {
  constructor(private readonly authenticator: Authenticator) {
    super({ realm: REALM, passReqToCallback: true })
  }

  override authenticate(request: unknown): void {
    const attempt = attemptOf(request, 'user')
    attempt.headers = { authorization: PLACEHOLDER }
    super.authenticate(attempt as never) // typed for Express; it reads the header, no more
  }

  /** Called by the package with the request it was given. */
  validate(attempt: Attempt): Promise<Caller | false> {
    return verifyAttempt(attempt, this.authenticator)
  }
}
