import type { Clock } from '@bearing/service/clock'
import type { Database } from '../../ground/database.js'
import {
  newNetworkMail,
  passwordChangedMail,
  userKeyCreatedMail,
  type MailText,
} from '../../ground/rules/mail-text.js'
import type { Compose, WaitingMail } from './mail-relay.js'

/** A notice is no longer sent after this time, in milliseconds. */
const LIFETIME_MS = 3 * 24 * 3_600_000
/** Networks that are listed together: those of the last day, in milliseconds. */
const LISTED_MS = 24 * 3_600_000

/** Makes the mails that notify users of what happened to their accounts. */
export function composeNotices(database: Database, clock: Clock) {
  const notice =
    (text: (mail: WaitingMail) => MailText | Promise<MailText>): Compose =>
    async (mail) => {
      if (mail.createdAt.getTime() + LIFETIME_MS <= clock.nowMs()) return undefined
      const user = await database.user.findUnique({ where: { id: mail.subject }, select: { email: true } })
      return user ? { to: user.email, mail: await text(mail) } : undefined
    }
  return {
    password_changed: notice(passwordChangedMail),
    user_key_created: notice(({ createdAt, address }) => userKeyCreatedMail({ at: createdAt, address })),
    new_network: notice(async ({ subject: userId, createdAt }) => {
      const [first, ...others] = await database.signInNetwork.findMany({
        where: { userId },
        orderBy: { firstSeenAt: 'asc' },
        select: { network: true, firstSeenAt: true },
      })
      const since = createdAt.getTime() - LISTED_MS
      const added = others.filter(({ firstSeenAt }) => firstSeenAt.getTime() > since)
      const listed = added.length === 0 && first ? [first] : added
      return newNetworkMail(listed.map(({ network, firstSeenAt }) => ({ network, at: firstSeenAt })))
    }),
  }
}
