import { resendInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { invitationState } from '../../ground/rules/invitation-state.js'
import { MailQueue } from '../../people/mails/mail-queue.js'
import { Mailer } from '../../people/mails/mailer.js'
import { requireAdminGrant, requireAdministrator } from '../members/require-admin.js'
import { LIFETIME_MS } from './create-invitation.js'
import { invitationEnded, inviterOf, lockedInvitation, toInvitation } from './invitation-row.js'
import { refuseTooSoon } from './refuse-too-soon.js'

@Controller()
export class ResendInvitation {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** The previous link stops working now; the mail relay creates the new one. */
  @Handle(resendInvitation)
  async execute(
    input: Input<typeof resendInvitation>,
    by: Principal,
  ): Promise<Output<typeof resendInvitation>> {
    this.mailer.refuseUnlessConfigured()
    const { organization_id: organizationId, invitation_id: id } = input
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      const caller = await requireAdministrator(transaction, organizationId, by, 'invitation:resend')
      const before = await lockedInvitation(transaction, id, organizationId)
      if (before.role === 'admin') requireAdminGrant(by)
      const state = invitationState(before, now)
      // An expired invitation is renewed, unless another one has replaced it.
      if (before.revokedAt || state === 'accepted' || state === 'revoked')
        throw invitationEnded(state === 'accepted' ? 'accepted' : 'revoked')
      await refuseTooSoon(transaction, organizationId, before.email, now)
      const target = ['invitation', id] as const
      recordAudit(transaction, by, { action: 'invitation.resent', target, organizationId })
      await this.mails.add(transaction, 'invitation', id)
      const expiresAt = new Date(now.getTime() + LIFETIME_MS)
      return transaction.invitation.update({
        where: { id },
        data: {
          ...{ secretHash: null, sentAt: now, sendings: { increment: 1 }, expiresAt },
          ...inviterOf(caller),
        },
      })
    })
    return toInvitation(row, now)
  }
}
