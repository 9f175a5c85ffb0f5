import { OperationError } from '@bearing/contracts/errors'
import { resetPassword } from '@bearing/contracts/identity/password'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { MailQueue } from '../mails/mail-queue.js'
import { hashLinkSecret } from '../../ground/rules/link-secret.js'
import { EndSignIns } from '../users/end-sign-ins.js'
import { lockUser } from '../users/lock-user.js'
import { mayHavePassword } from './may-have-password.js'
import { NewPasswords } from './new-passwords.js'
import { Passwords } from './passwords.js'

@Controller()
export class ResetPassword {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly passwords: Passwords,
    private readonly rules: NewPasswords,
    private readonly signIns: EndSignIns,
    private readonly changes: CredentialChanges,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** Of several who use one link at once, one sets the password. */
  @Handle(resetPassword)
  async execute(input: Input<typeof resetPassword>): Promise<Output<typeof resetPassword>> {
    const live = { secretHash: hashLinkSecret(input.secret), expiresAt: { gt: this.clock.now() } }
    const found = await this.database.passwordReset.findFirst({ where: live, select: { user: true } })
    if (!found) throw notFound()
    const { user } = found
    await this.rules.refuseBad(input.password, user.email)
    const passwordHash = await this.passwords.hash(input.password)
    const change = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, user.id)
      const { count } = await transaction.passwordReset.deleteMany({ where: { ...live, userId: user.id } })
      if (count === 0) throw notFound()
      await refuseUnlessMayHavePassword(transaction, user.id)
      await transaction.user.update({ where: { id: user.id }, data: { passwordHash } })
      await this.audit.record(transaction, ANONYMOUS, {
        action: 'password.reset',
        target: ['user', user.id],
      })
      await this.mails.add(transaction, 'password_changed', user.id)
      return this.signIns.record(transaction, ANONYMOUS, user)
    })
    await this.changes.publish(change)
    return {}
  }
}

async function refuseUnlessMayHavePassword(transaction: Transaction, userId: string): Promise<void> {
  if (await mayHavePassword(transaction, userId)) return
  throw new OperationError(
    'sso_required',
    'All of your organizations require single sign-on: sign in there. A password would be of no use.',
  )
}

function notFound(): OperationError {
  return new OperationError(
    'password_reset_not_found',
    'The link does not work any more: it was used, a newer one was mailed, or its hour is over. Ask for another one.',
  )
}
