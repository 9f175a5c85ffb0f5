import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { callingUser } from '../users/calling-user.js'
import { CheckPassword } from './check-password.js'

/** Requires the account password of calling users, whatever they authenticated with. */
@Injectable()
export class ProveOwnPassword {
  constructor(private readonly password: CheckPassword) {}

  /**
   * @returns the email address of the account
   * @throws OperationError `password_incorrect`, and the errors of {@link CheckPassword.check}
   */
  async prove(by: Principal, password: string): Promise<string> {
    const { userId, email } = callingUser(by)
    const user = await this.password.check(email, password)
    if (user === 'unknown' || user.user_id !== userId)
      throw new OperationError('password_incorrect', 'This is not the password of your account.')
    return user.email
  }
}
