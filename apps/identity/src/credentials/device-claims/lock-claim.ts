import { OperationError } from '@bearing/contracts/errors'
import type { approveDeviceClaim } from '@bearing/contracts/identity/devices/device-claim'
import type { Input } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import type { DeviceClaim } from '../../generated/prisma/client.js'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import { lockDeviceKeys } from '../../ground/locks.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'

/**
 * Locks the device of a claim that a manager decides about.
 *
 * @throws OperationError `device_claim_not_found` if it does not wait
 */
export async function lockClaim(
  transaction: Transaction,
  input: Input<typeof approveDeviceClaim>,
  by: Principal,
  now: Date,
): Promise<DeviceClaim> {
  await requireManager(transaction, by, input, 'device-key:manage')
  await refuseForeignProject(transaction, input)
  const { organization_id: organizationId, project_id: projectId, device_claim_id: id } = input
  const where = { id, organizationId, projectId, rejectedAt: null, expiresAt: { gt: now } }
  const found = await transaction.deviceClaim.findFirst({ where })
  if (found) await lockDeviceKeys(transaction, projectId, found.deviceSerial)
  const claim = found && (await transaction.deviceClaim.findFirst({ where }))
  if (!claim) throw new OperationError('device_claim_not_found', 'No such claim waits for approval.')
  return claim
}

/** Records what a manager decided about a claim. */
export function recordDecision(
  transaction: Transaction,
  by: Principal,
  action: 'device_claim.approved' | 'device_claim.rejected',
  { organizationId, projectId, deviceSerial, thumbprint }: DeviceClaim,
): void {
  recordAudit(transaction, by, {
    ...{ action, target: ['device', deviceSerial], organizationId },
    details: { project_id: projectId, thumbprint: Buffer.from(thumbprint).toString('base64url') },
  })
}
