import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import type { Provisioned } from './apply-record.js'

/** Revokes the open invitation of a deactivated user, who does not come back by it. */
export async function revokeInvitation(
  transaction: Transaction,
  { by, organizationId }: Pick<Provisioned, 'by' | 'organizationId'>,
  email: string | null,
  now: Date,
): Promise<void> {
  if (email === null) return
  const revoked = await transaction.invitation.updateManyAndReturn({
    where: { organizationId, email, acceptedAt: null, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true },
  })
  for (const { id } of revoked)
    recordAudit(transaction, by, { action: 'invitation.revoked', target: ['invitation', id], organizationId })
}
