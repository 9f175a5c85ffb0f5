import { OperationError } from '@bearing/contracts/errors'
import { changePassword } from '@bearing/contracts/identity/people/password'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { MailQueue } from '../mails/mail-queue.js'
import { endSignIns } from '../sessions/end-sessions.js'
import { callingUser } from '../users/calling-user.js'
import { NewPasswords } from './new-passwords.js'
import { PasswordBackoff } from './password-backoff.js'
import { Passwords } from './passwords.js'

@Controller()
export class ChangePassword {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly backoff: PasswordBackoff,
    private readonly rules: NewPasswords,
    private readonly mails: MailQueue,
  ) {}

  @Handle(changePassword)
  async execute(input: Input<typeof changePassword>, by: Principal): Promise<Output<typeof changePassword>> {
    const { userId, email } = callingUser(by)
    // A stolen API key must not allow guessing the password faster here than at sign-in.
    const attempt = await this.backoff.begin(email, currentCall()?.clientAddress ?? '')
    const user = await this.database.user.findUnique({ where: { id: userId } })
    const { right } = await this.passwords.check(input.current_password, user?.passwordHash, attempt)
    if (!user || !right) throw passwordIncorrect()
    await attempt.succeeded()
    await this.rules.refuseBad(input.new_password, user.email, '/new_password')
    const passwordHash = await this.passwords.hash(input.new_password)
    await this.database.transaction(async (transaction) => {
      const now = await lockUser(transaction, userId)
      if (now?.passwordHash !== user.passwordHash) throw passwordIncorrect()
      await transaction.user.update({ where: { id: userId }, data: { passwordHash } })
      recordAudit(transaction, by, { action: 'password.changed', target: ['user', userId] })
      await this.mails.add(transaction, 'password_changed', userId)
      await endSignIns(transaction, by, user)
    })
    return {}
  }
}

function passwordIncorrect(): OperationError {
  return new OperationError(
    'password_incorrect',
    'The current password is not right. If you lost it, or never had one, request a link by email.',
  )
}
