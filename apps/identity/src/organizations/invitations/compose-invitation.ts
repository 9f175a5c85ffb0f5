import type { Clock } from '@bearing/service/clock'
import type { Randomness } from '@bearing/service/randomness'
import type { Database } from '../../ground/database.js'
import { isStillAdmin } from './invitation-row.js'
import { invitationMail } from '../../ground/rules/mail-text.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import type { Mailer } from '../../people/mails/mailer.js'
import type { Compose } from '../../people/mails/mail-relay.js'

/** Makes the mail of an invitation, with a new link. The one before is dead from then on. */
export function composeInvitation(
  database: Database,
  mailer: Mailer,
  clock: Clock,
  randomness: Randomness,
): Compose {
  return async ({ subject: id }) => {
    const { secret, secretHash } = newLinkSecret(randomness.bytes)
    const open = { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: clock.now() } }
    const invitation = await database.transaction(async (transaction) => {
      const { count } = await transaction.invitation.updateMany({ where: open, data: { secretHash } })
      return count === 1 ? transaction.invitation.findUniqueOrThrow({ where: { id } }) : undefined
    })
    if (!invitation || !(await isStillAdmin(database, invitation))) return undefined
    const { email: invitedBy } = await database.user.findUniqueOrThrow({
      where: { id: invitation.invitedBy },
      select: { email: true },
    })
    const link = mailer.link('invitation', secret)
    return {
      to: invitation.email,
      mail: invitationMail({ link, invitedBy, expiresAt: invitation.expiresAt }),
    }
  }
}
