import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-strategy'
import { attemptOf, verifyAttempt, type Attempt } from './attempt.js'
import { Authenticator, type Caller } from './authenticator.js'

/** Project keys. There is no package for a header of one's own. */
@Injectable()
export class ProjectKeyStrategy extends PassportStrategy(Strategy, 'project_key') {
  constructor(private readonly authenticator: Authenticator) {
    super()
  }

  override authenticate(request: unknown): void {
    this.validate(attemptOf(request, 'project_key')).then(
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
