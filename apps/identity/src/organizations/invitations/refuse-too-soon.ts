import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { lockMailbox } from '../../ground/locks.js'
import { countedSince, invitationPauseMs } from '../../ground/rules/invitation-pause.js'
import { mailboxPauseMs, mailboxSince } from '../../ground/rules/mailbox-pause.js'

/**
 * Refuses a mail too soon after others to the same email address, of this organization or of all together. Locks the email
 * address; the admins of the organization are locked before.
 *
 * @throws OperationError `rate_limited`, with the same text for every sender
 */
export async function refuseTooSoon(
  transaction: Transaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<void> {
  await lockMailbox(transaction, email)
  const own = await transaction.invitation.findMany({
    where: { organizationId, email, sentAt: { gt: countedSince(now) } },
    orderBy: { sentAt: 'asc' },
    select: { sentAt: true, sendings: true },
  })
  const { _sum: sum, _max: max } = await transaction.invitation.aggregate({
    where: { email, sentAt: { gt: mailboxSince(now) } },
    _sum: { sendings: true },
    _max: { sentAt: true },
  })
  const mailbox = { count: sum.sendings ?? 0, lastAt: max.sentAt }
  const pauseMs = Math.max(invitationPauseMs(own, now), mailboxPauseMs(mailbox, own.at(-1)?.sentAt, now))
  if (pauseMs === 0) return
  const retry_after = Math.ceil(pauseMs / 1_000)
  throw new OperationError(
    'rate_limited',
    `An invitation was sent to this email address a short while ago. The next one can be sent in ${String(retry_after)} s.`,
    { retry_after },
  )
}
