import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { countedSince, invitationPauseMs } from '../../ground/rules/invitation-pause.js'
import { mailboxPauseMs, mailboxSince } from '../../ground/rules/mailbox-pause.js'

/**
 * Refuses a mail that comes too soon after others to the same address, of the organization or of many. Who asks for the
 * same address next waits until the transaction ends. The organization's admins have to be locked before.
 *
 * @throws OperationError `rate_limited`, with the same words whoever has sent them
 */
export async function refuseTooSoon(
  transaction: Transaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<void> {
  // Organizations have no row in common here.
  await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${`invitation:${email}`}, 0))`
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
    `The address was sent an invitation a short while ago. The next one can be sent in ${String(retry_after)} s.`,
    { retry_after },
  )
}
