import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import { isDeleted } from '../../ground/tenant-states.js'
import { hashLinkSecret } from '../../ground/rules/link-secret.js'
import { invitationState } from '../../ground/rules/invitation-state.js'
import { invitationEnded, invitationNotFound, mayStillInvite } from './invitation-row.js'

/** Finds invitations by the secret of their link. */
@Injectable()
export class FindInvitation {
  constructor(private readonly clock: Clock) {}

  /**
   * Returns the pending invitation of a link.
   *
   * @throws OperationError `invitation_not_found` or `invitation_ended`
   */
  async bySecret(transaction: Transaction, secret: string) {
    const row = await transaction.invitation.findUnique({ where: { secretHash: hashLinkSecret(secret) } })
    if (!row)
      throw invitationNotFound(
        'This link does not work. Use the link of the newest mail, or ask for another invitation.',
      )
    const state = invitationState(row, this.clock.now())
    if (state !== 'pending') throw invitationEnded(state)
    if (!(await mayStillInvite(transaction, row, this.clock.now()))) throw invitationEnded('revoked')
    if (await isDeleted(transaction, row.organizationId)) throw invitationEnded('revoked')
    return row
  }
}
