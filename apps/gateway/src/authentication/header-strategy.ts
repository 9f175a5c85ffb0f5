import { Injectable, type Type } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-strategy'
import { attemptOf, verifyAttempt, type Attempt } from './attempt.js'
import { Authenticator, type Caller } from './authenticator.js'

/**
 * The strategy of what comes in a header of our own: project keys, for which there is no package, and sessions of
 * browsers. Passport's own sessions are not used: they keep state in the process, and ours need none.
 */
export function headerStrategy(kind: 'project_key' | 'session'): Type {
  @Injectable()
  class HeaderStrategy extends PassportStrategy(Strategy, kind) {
    constructor(private readonly authenticator: Authenticator) {
      super()
    }

    override authenticate(request: unknown): void {
      this.validate(attemptOf(request, kind)).then(
        (caller) => {
          if (caller) this.success(caller)
          else this.fail(401)
        },
        (error: unknown) => {
          this.error(error as Error) // Passport's type; it hands the value through as it is
        },
      )
    }

    validate(attempt: Attempt): Promise<Caller | false> {
      return verifyAttempt(attempt, this.authenticator)
    }
  }
  return HeaderStrategy
}
