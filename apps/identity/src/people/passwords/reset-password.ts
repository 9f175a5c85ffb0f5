import { OperationError } from '@bearing/contracts/errors'
import { resetPassword } from '@bearing/contracts/identity/people/password'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { lockUser } from '../../ground/locks.js'
import { hashLinkSecret } from '../../ground/rules/link-secret.js'
import { MailQueue } from '../mails/mail-queue.js'
import { endSignIns } from '../sessions/end-sessions.js'
import { mayHavePassword } from './may-have-password.js'
import { NewPasswords } from './new-passwords.js'
import { Passwords } from './passwords.js'

@Controller()
export class ResetPassword {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly rules: NewPasswords,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** If several callers use one link at the same time, one of them sets the password. */
  @Handle(resetPassword)
  async execute(input: Input<typeof resetPassword>): Promise<Output<typeof resetPassword>> {
    const live = { secretHash: hashLinkSecret(input.secret), expiresAt: { gt: this.clock.now() } }
    const found = await this.database.passwordReset.findFirst({ where: live, select: { user: true } })
    if (!found) throw notFound()
    const { user } = found
    await this.rules.refuseBad(input.password, user.email)
    const passwordHash = await this.passwords.hash(input.password)
    await this.database.transaction(async (transaction) => {
      await lockUser(transaction, user.id)
      const { count } = await transaction.passwordReset.deleteMany({ where: { ...live, userId: user.id } })
      if (count === 0) throw notFound()
      await refuseUnlessMayHavePassword(transaction, user.id)
      await transaction.user.update({ where: { id: user.id }, data: { passwordHash } })
      recordAudit(transaction, ANONYMOUS, { action: 'password.reset', target: ['user', user.id] })
      await this.mails.add(transaction, 'password_changed', user.id)
      await deleteKey(transaction, user.id)
      await endSignIns(transaction, ANONYMOUS, user)
    })
    return {}
  }
}

/** Anyone who forgot the password, or fears that somebody knows it, cannot know who made the key. */
async function deleteKey(transaction: Transaction, userId: string): Promise<void> {
  const key = await transaction.userKey.findUnique({ where: { userId }, select: { id: true } })
  if (!key) return
  await transaction.userKey.delete({ where: { id: key.id } })
  recordAudit(transaction, ANONYMOUS, { action: 'user_key.deleted', target: ['user_key', key.id] })
  recordCredentialChange(transaction, `credential:${key.id}`)
}

async function refuseUnlessMayHavePassword(transaction: Transaction, userId: string): Promise<void> {
  if (await mayHavePassword(transaction, userId)) return
  throw new OperationError(
    'sso_required',
    'All of your organizations require single sign-on: sign in there. A password would be refused.',
  )
}

function notFound(): OperationError {
  return new OperationError(
    'password_reset_not_found',
    'The link does not work anymore: it was used, a newer one was sent, or it has expired after one hour. Request a new one.',
  )
}
