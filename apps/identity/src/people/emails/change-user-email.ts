import { changeUserEmail } from '@bearing/contracts/identity/people/email-change'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database, isUniqueViolation } from '../../ground/database.js'
import { lockUserByEmail } from '../../ground/locks.js'
import { userNotFound } from '../users/calling-user.js'
import { ChangeEmail, emailTaken } from './change-email.js'

@Controller()
export class ChangeUserEmail {
  constructor(
    private readonly database: Database,
    private readonly emails: ChangeEmail,
  ) {}

  @Handle(changeUserEmail)
  async execute(
    { email, new_email }: Input<typeof changeUserEmail>,
    by: Principal,
  ): Promise<Output<typeof changeUserEmail>> {
    try {
      return await this.database.transaction(async (transaction) => {
        const user = await lockUserByEmail(transaction, email)
        if (!user) throw userNotFound()
        await this.emails.change(transaction, by, { user, email: new_email })
        return { user_id: user.id, email: new_email }
      })
    } catch (error) {
      if (isUniqueViolation(error)) throw emailTaken()
      throw error
    }
  }
}
