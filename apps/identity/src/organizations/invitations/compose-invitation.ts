import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import { invitationMail } from '../../ground/rules/mail-text.js'
import { MailRelay, type ComposedMail, type QueuedMail } from '../../people/mails/mail-relay.js'
import { Mailer } from '../../people/mails/mailer.js'
import { inviterName, mayStillInvite } from './invitation-row.js'

/** Composes the mail of an invitation, with a new link. The previous link stops working. */
@Injectable()
export class ComposeInvitation {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    relay: MailRelay,
  ) {
    relay.register('invitation', (mail) => this.compose(mail))
  }

  private async compose({ subject: id }: QueuedMail): Promise<ComposedMail | undefined> {
    const { secret, secretHash } = newLinkSecret(this.randomness.bytes)
    const now = this.clock.now()
    const [invitation] = await this.database.invitation.updateManyAndReturn({
      where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
      data: { secretHash },
    })
    if (!invitation || !(await mayStillInvite(this.database, invitation, now))) return undefined
    const { email: to, expiresAt } = invitation
    const invitedBy = await inviterName(this.database, invitation)
    const link = this.mailer.link('invitation', secret)
    return { to, mail: invitationMail({ link, invitedBy, expiresAt }) }
  }
}
