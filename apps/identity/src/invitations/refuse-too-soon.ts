import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../database.js'
import { countedSince, invitationPauseMs } from '../rules/invitation-pause.js'

/**
 * Refuses a mail that comes too soon after others to the same address. The organization's admins have to be locked, or two
 * could ask at once.
 *
 * @throws OperationError `rate_limited`
 */
export async function refuseTooSoon(
  transaction: Transaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<void> {
  const before = await transaction.invitation.findMany({
    where: { organizationId, email, sentAt: { gt: countedSince(now) } },
    select: { sentAt: true, sendings: true },
  })
  const pauseMs = invitationPauseMs(before, now)
  if (pauseMs === 0) return
  const retry_after = Math.ceil(pauseMs / 1_000)
  throw new OperationError(
    'rate_limited',
    `The address was sent an invitation a short while ago. The next one can be sent in ${String(retry_after)} s.`,
    { retry_after },
  )
}
