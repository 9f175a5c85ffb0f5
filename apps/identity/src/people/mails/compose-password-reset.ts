import { ANONYMOUS } from '@bearing/service/audit-row'
import type { Clock } from '@bearing/service/clock'
import type { Randomness } from '@bearing/service/randomness'
import type { AuditLog } from '../../ground/audit/audit-log.js'
import type { Database, Transaction } from '../../ground/database.js'
import { lockUser } from '../users/lock-user.js'
import { mayHavePassword } from '../passwords/may-have-password.js'
import { passwordResetMail } from '../../ground/rules/mail-text.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import type { Mailer } from './mailer.js'
import type { Compose, WaitingMail } from './mail-relay.js'

/** How long a link to set a new password works, in milliseconds. */
const LIFETIME_MS = 3_600_000
/** One mail in this time, in milliseconds: whoever asks often cannot fill somebody's mailbox. */
const PAUSE_MS = 300_000

/** Makes the mail with which a password is reset, where there is an account for it. The link before is dead from then on. */
export function composePasswordReset(
  database: Database,
  mailer: Mailer,
  audit: AuditLog,
  clock: Clock,
  randomness: Randomness,
): Compose {
  return async (mail) => {
    const { subject: email, createdAt: askedAt } = mail
    const expiresAt = new Date(askedAt.getTime() + LIFETIME_MS)
    if (expiresAt <= clock.now()) return undefined
    const { secret, secretHash } = newLinkSecret(randomness.bytes)
    const made = await database.transaction(async (transaction) => {
      const user = await transaction.user.findUnique({ where: { email }, select: { id: true } })
      if (!user || !(await isDue(transaction, user.id, mail))) return false
      const reset = { secretHash, createdAt: clock.now(), expiresAt }
      const where = { userId: user.id }
      await transaction.passwordReset.upsert({ where, create: { ...where, ...reset }, update: reset })
      if (mail.attempts === 1)
        await audit.record(transaction, ANONYMOUS, {
          action: 'password.reset_requested',
          target: ['user', user.id],
        })
      return true
    })
    return made
      ? { to: email, mail: passwordResetMail({ link: mailer.link('password-reset', secret), expiresAt }) }
      : undefined
  }
}

/** Whether the mail is still wanted, the account may have a password, and none was mailed just before. */
async function isDue(
  transaction: Transaction,
  userId: string,
  { id, createdAt }: WaitingMail,
): Promise<boolean> {
  await lockUser(transaction, userId)
  // A password that was changed meanwhile has taken the mail back.
  if (!(await transaction.mail.findUnique({ where: { id }, select: { id: true } }))) return false
  const before = await transaction.passwordReset.findUnique({ where: { userId } })
  // A link that was made after the mail was asked for is of an attempt before, which has failed.
  const sinceMs = before ? createdAt.getTime() - before.createdAt.getTime() : -1
  if (sinceMs >= 0 && sinceMs < PAUSE_MS) return false
  return mayHavePassword(transaction, userId)
}
