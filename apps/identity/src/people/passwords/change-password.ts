import { OperationError } from '@bearing/contracts/errors'
import { changePassword } from '@bearing/contracts/identity/password'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { MailQueue } from '../mails/mail-queue.js'
import { callingUser } from '../users/calling-user.js'
import { EndSignIns } from '../users/end-sign-ins.js'
import { lockUser } from '../users/lock-user.js'
import { NewPasswords } from './new-passwords.js'
import { PasswordBackOff } from './password-backoff.js'
import { Passwords } from './passwords.js'

@Controller()
export class ChangePassword {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly passwords: Passwords,
    private readonly backOff: PasswordBackOff,
    private readonly rules: NewPasswords,
    private readonly signIns: EndSignIns,
    private readonly changes: CredentialChanges,
    private readonly mails: MailQueue,
  ) {}

  @Handle(changePassword)
  async execute(input: Input<typeof changePassword>, by: Principal): Promise<Output<typeof changePassword>> {
    const { userId, email } = callingUser(by)
    // Who has got hold of somebody's key must not guess the password faster here than at the front door.
    const attempt = await this.backOff.begin(email, currentCall()?.clientAddress ?? '')
    const user = await this.database.user.findUnique({ where: { id: userId } })
    const { right } = await this.passwords.check(input.current_password, user?.passwordHash, attempt)
    if (!user || !right) throw passwordIncorrect()
    await attempt.succeeded()
    await this.rules.refuseBad(input.new_password, user.email, '/new_password')
    const passwordHash = await this.passwords.hash(input.new_password)
    const change = await this.database.transaction(async (transaction) => {
      const now = await lockUser(transaction, userId)
      // Somebody else was first: what was checked is the current password no more.
      if (now?.passwordHash !== user.passwordHash) throw passwordIncorrect()
      await transaction.user.update({ where: { id: userId }, data: { passwordHash } })
      await this.audit.record(transaction, by, { action: 'password.changed', target: ['user', userId] })
      await this.mails.add(transaction, 'password_changed', userId)
      return this.signIns.record(transaction, by, user)
    })
    await this.changes.publish(change)
    return {}
  }
}

function passwordIncorrect(): OperationError {
  return new OperationError(
    'password_incorrect',
    'The current password is not right. Who has forgotten it, or has none, can ask for a link by mail.',
  )
}
