import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import { invitationMail } from '../../ground/rules/mail-text.js'
import { MailRelay, type ComposedMail, type QueuedMail } from '../../people/mails/mail-relay.js'
import { Mailer } from '../../people/mails/mailer.js'
import { isStillAdmin } from './invitation-row.js'

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
    const [invitation] = await this.database.invitation.updateManyAndReturn({
      where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: this.clock.now() } },
      data: { secretHash },
    })
    if (!invitation || !(await isStillAdmin(this.database, invitation))) return undefined
    const { email: to, invitedBy: inviter, expiresAt } = invitation
    const { email: invitedBy } = await this.database.user.findUniqueOrThrow({
      where: { id: inviter },
      select: { email: true },
    })
    const link = this.mailer.link('invitation', secret)
    return { to, mail: invitationMail({ link, invitedBy, expiresAt }) }
  }
}
