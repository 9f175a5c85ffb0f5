import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { callingUser } from '../users/calling-user.js'
import { CheckPassword } from './check-password.js'

/** Has users prove that the account is theirs, whatever they have authenticated with. */
@Injectable()
export class ProveOwnPassword {
  constructor(private readonly password: CheckPassword) {}

  /**
   * @returns the e-mail address of the account
   * @throws OperationError `password_incorrect`, and what {@link CheckPassword.check} throws
   */
  async prove(by: Principal, password: string): Promise<string> {
    const { userId, email } = callingUser(by)
    const verdict = await this.password.check(email, password)
    if (verdict === 'unknown' || verdict.user_id !== userId)
      throw new OperationError('password_incorrect', 'This is not the password of your account.')
    return verdict.email
  }
}
