import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import { emailChangeMail, emailChangedMail } from '../../ground/rules/mail-text.js'
import { MailRelay, type ComposedMail, type QueuedMail } from '../mails/mail-relay.js'
import { Mailer } from '../mails/mailer.js'

/** Composes the mails about a change of an email address. Each attempt creates a new link; the one before stops working. */
@Injectable()
export class ComposeEmailChange {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    relay: MailRelay,
  ) {
    relay.register('email_change_new', (mail) => this.compose(mail, 'new'))
    relay.register('email_change_old', (mail) => this.compose(mail, 'old'))
    relay.register('email_changed', ({ subject: to }) => Promise.resolve({ to, mail: emailChangedMail() }))
  }

  private compose({ subject: userId }: QueuedMail, side: 'new' | 'old'): Promise<ComposedMail | undefined> {
    const { secret, secretHash } = newLinkSecret(this.randomness.bytes)
    return this.database.transaction(async (transaction) => {
      const user = await lockUser(transaction, userId)
      const change = await transaction.emailChange.findUnique({ where: { userId } })
      if (!user || !change || change.expiresAt <= this.clock.now()) return undefined
      const isNew = side === 'new'
      // An address with an account gets no link: its owner is not asked to give it away.
      if (isNew && (await transaction.user.findUnique({ where: { email: change.email } }))) return undefined
      if (isNew ? change.newConfirmed : change.oldConfirmed) return undefined
      const data = isNew ? { newHash: secretHash } : { oldHash: secretHash }
      await transaction.emailChange.update({ where: { userId }, data })
      const { email: newEmail, expiresAt } = change
      const link = this.mailer.link('email-change', secret)
      return {
        to: isNew ? newEmail : user.email,
        mail: emailChangeMail({ link, newEmail, isNew, expiresAt }),
      }
    })
  }
}
