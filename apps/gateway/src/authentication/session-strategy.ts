import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-strategy'
import { attemptOf, verifyAttempt, type Attempt } from './attempt.js'
import { Authenticator, type Caller } from './authenticator.js'

/** Sessions of browsers. Passport's own are not used: they keep state in the process, and this needs none. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session') {
  constructor(private readonly authenticator: Authenticator) {
    super()
  }

  override authenticate(request: unknown): void {
    this.validate(attemptOf(request, 'session')).then(
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
