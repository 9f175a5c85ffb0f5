import type { approveSharing } from '@bearing/contracts/location/sharing'
import type { Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { recordAudit } from '../ground/audit-log.js'
import type { Database } from '../ground/database.js'

type SharingView = Output<typeof approveSharing>

/** @param approvedAt null revokes the approval. If nothing changes, nothing is recorded. */
export async function changeApproval(
  database: Database,
  by: Principal,
  { organizationId, approvedAt, now }: { organizationId: string; approvedAt: Date | null; now: Date },
): Promise<SharingView> {
  return database.transaction(async (transaction) => {
    const before = await transaction.locationSettings.findUnique({ where: { organizationId } })
    if (((before?.sharingApprovedAt ?? null) === null) === (approvedAt === null))
      return sharingView(before ?? { organizationId, shareObservations: false, sharingApprovedAt: null })
    const row = await transaction.locationSettings.upsert({
      where: { organizationId },
      create: { organizationId, sharingApprovedAt: approvedAt, updatedAt: now },
      update: { sharingApprovedAt: approvedAt },
    })
    recordAudit(transaction, by, {
      action: approvedAt ? 'sharing.approved' : 'sharing.revoked',
      target: ['organization', organizationId],
      organizationId,
    })
    return sharingView(row)
  })
}

/** Returns an approval as it is shown. */
export function sharingView(row: {
  readonly organizationId: string
  readonly shareObservations: boolean
  readonly sharingApprovedAt: Date | null
}): SharingView {
  return {
    organization_id: row.organizationId,
    share_observations: row.shareObservations,
    approved_at: row.sharingApprovedAt?.toISOString() ?? null,
  }
}
