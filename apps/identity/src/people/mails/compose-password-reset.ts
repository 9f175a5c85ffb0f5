import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import { passwordResetMail } from '../../ground/rules/mail-text.js'
import { mayHavePassword } from '../passwords/may-have-password.js'
import { MailRelay, type ComposedMail, type QueuedMail } from './mail-relay.js'
import { Mailer } from './mailer.js'

/** Lifetime of a link to set a new password, in milliseconds. */
const LIFETIME_MS = 3_600_000
/** Minimum time between two mails to one account, in milliseconds, so that requests cannot fill a mailbox. */
const PAUSE_MS = 300_000

/** Composes the mail with which a password is reset, with a new link. The previous link stops working. */
@Injectable()
export class ComposePasswordReset {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    relay: MailRelay,
  ) {
    relay.register('password_reset', (mail) => this.compose(mail))
  }

  private async compose(mail: QueuedMail): Promise<ComposedMail | undefined> {
    const { subject: email } = mail
    const expiresAt = new Date(mail.createdAt.getTime() + LIFETIME_MS)
    if (expiresAt <= this.clock.now()) return undefined
    const { secret, secretHash } = newLinkSecret(this.randomness.bytes)
    const isDue = await this.database.transaction(async (transaction) => {
      const user = await transaction.user.findUnique({ where: { email }, select: { id: true } })
      if (!user || !(await mayBeSent(transaction, user.id, mail))) return false
      const reset = { secretHash, createdAt: this.clock.now(), expiresAt }
      const where = { userId: user.id }
      await transaction.passwordReset.upsert({ where, create: { ...where, ...reset }, update: reset })
      const target = ['user', user.id] as const
      if (mail.attempts === 1)
        recordAudit(transaction, ANONYMOUS, { action: 'password.reset_requested', target })
      return true
    })
    const link = this.mailer.link('password-reset', secret)
    return isDue ? { to: email, mail: passwordResetMail({ link, expiresAt }) } : undefined
  }
}

/** Returns false if the request was withdrawn, the account may not have a password, or a mail was sent just before. */
async function mayBeSent(
  transaction: Transaction,
  userId: string,
  { id, createdAt }: QueuedMail,
): Promise<boolean> {
  await lockUser(transaction, userId)
  // A password change meanwhile has deleted the mail.
  if (!(await transaction.mail.findUnique({ where: { id }, select: { id: true } }))) return false
  const before = await transaction.passwordReset.findUnique({ where: { userId } })
  // A link that is newer than the request comes from a failed attempt to send this mail.
  const sinceMs = before ? createdAt.getTime() - before.createdAt.getTime() : -1
  if (sinceMs >= 0 && sinceMs < PAUSE_MS) return false
  return mayHavePassword(transaction, userId)
}
