import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import {
  newNetworkMail,
  passkeyAddedMail,
  passkeyRefusedMail,
  passwordChangedMail,
  userKeyCreatedMail,
  type MailText,
} from '../../ground/rules/mail-text.js'
import { MailRelay, type ComposedMail, type QueuedMail } from './mail-relay.js'

/** A notice is no longer sent after this time, in milliseconds. */
const LIFETIME_MS = 3 * DAY_MS
/** One mail lists the networks of this time, in milliseconds. */
const LISTED_MS = DAY_MS

/** Composes the mails that notify users of changes to their accounts. */
@Injectable()
export class ComposeNotices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    relay: MailRelay,
  ) {
    relay.register('password_changed', (mail) => this.compose(mail, passwordChangedMail))
    relay.register('user_key_created', (mail) =>
      this.compose(mail, ({ createdAt: at, address }) => userKeyCreatedMail({ at, address })),
    )
    relay.register('passkey_added', (mail) => this.compose(mail, passkeyAddedMail))
    relay.register('passkey_refused', (mail) => this.compose(mail, passkeyRefusedMail))
    relay.register('new_network', (mail) => this.compose(mail, (mail) => this.newNetworks(mail)))
  }

  private async compose(
    mail: QueuedMail,
    text: (mail: QueuedMail) => MailText | Promise<MailText>,
  ): Promise<ComposedMail | undefined> {
    if (mail.createdAt.getTime() + LIFETIME_MS <= this.clock.nowMs()) return undefined
    const user = await this.database.user.findUnique({ where: { id: mail.subject }, select: { email: true } })
    return user ? { to: user.email, mail: await text(mail) } : undefined
  }

  private async newNetworks({ subject: userId, createdAt }: QueuedMail): Promise<MailText> {
    const [first, ...others] = await this.database.signInNetwork.findMany({
      where: { userId },
      orderBy: { firstSeenAt: 'asc' },
      select: { network: true, firstSeenAt: true },
    })
    const since = createdAt.getTime() - LISTED_MS
    const added = others.filter(({ firstSeenAt }) => firstSeenAt.getTime() > since)
    const listed = added.length === 0 && first ? [first] : added
    return newNetworkMail(listed.map(({ network, firstSeenAt: at }) => ({ network, at })))
  }
}
