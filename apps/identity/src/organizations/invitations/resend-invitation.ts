import { resendInvitation } from '@bearing/contracts/identity/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { MailQueue } from '../../people/mails/mail-queue.js'
import { Mailer } from '../../people/mails/mailer.js'
import { lockAdmins, refuseUnlessAdmin } from '../members/lock-admins.js'
import { invitationState } from '../../ground/rules/invitation-state.js'
import { callingUser } from '../../people/users/calling-user.js'
import { LIFETIME_MS } from './create-invitation.js'
import { invitationEnded, lockInvitation, toInvitation } from './invitation-row.js'
import { refuseTooSoon } from './refuse-too-soon.js'

@Controller()
export class ResendInvitation {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** The link before dies here, the new one is made when it is mailed. */
  @Handle(resendInvitation)
  async execute(
    input: Input<typeof resendInvitation>,
    by: Principal,
  ): Promise<Output<typeof resendInvitation>> {
    const { userId } = callingUser(by)
    this.mailer.refuseUnlessConfigured()
    const { organization_id: organizationId, invitation_id: id } = input
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId)
      const before = await lockInvitation(transaction, id, organizationId)
      const state = invitationState(before, now)
      // One that has expired comes back, unless another one has taken its place.
      if (before.revokedAt || state === 'accepted' || state === 'revoked')
        throw invitationEnded(state === 'accepted' ? 'accepted' : 'revoked')
      await refuseTooSoon(transaction, organizationId, before.email, now)
      await this.audit.record(transaction, by, {
        action: 'invitation.resent',
        target: ['invitation', id],
        organizationId,
      })
      await this.mails.add(transaction, 'invitation', id)
      const expiresAt = new Date(now.getTime() + LIFETIME_MS)
      return transaction.invitation.update({
        where: { id },
        data: { secretHash: null, sentAt: now, sendings: { increment: 1 }, expiresAt, invitedBy: userId },
      })
    })
    return toInvitation(row, now)
  }
}
