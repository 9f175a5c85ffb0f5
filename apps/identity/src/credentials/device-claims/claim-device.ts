import { DAY_MS } from '@bearing/contracts/durations'
import { OperationError } from '@bearing/contracts/errors'
import { CLAIM_DAYS, claimDevice, MAX_WAITING_CLAIMS } from '@bearing/contracts/identity/devices/device-claim'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockDeviceKeys } from '../../ground/locks.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'
import { notifyKeyChange } from '../../ground/device-keys/notify-key-change.js'
import { readPublicKey, type ReadKey } from '../../ground/device-keys/read-public-key.js'
import { registerDeviceKey, type OwnedDevice } from '../../ground/device-keys/register-device-key.js'
import { UseOnboardingToken } from '../onboarding-tokens/use-onboarding-token.js'
import { claimRefused, VerifyClaim } from './verify-claim.js'

const QUOTA = {
  ...{ resource: 'device_claims', limit: MAX_WAITING_CLAIMS, raised_by: 'nobody' as const },
  has: 'The project has too many claims that wait for approval',
  remedy: 'Approve or reject some first',
}

@Controller()
export class ClaimDevice {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly proof: VerifyClaim,
    private readonly tokens: UseOnboardingToken,
  ) {}

  @Handle(claimDevice)
  async execute(input: Input<typeof claimDevice>, by: Principal): Promise<Output<typeof claimDevice>> {
    const { organization_id: organizationId, project_id: projectId, device_serial: deviceSerial } = input
    const device = { organizationId, projectId, deviceSerial }
    const { policy, projectKey } = await this.projectOf(projectId, by)
    if (policy === 'off') throw claimRefused('The project does not accept claims (device_claims is off).')
    const key = await readPublicKey(input.public_key)
    const { publicKey } = key
    await this.proof.execute({ projectId, projectKey, serial: deviceSerial, publicKey, proof: input.proof })
    const expiresAt = await this.database.transaction(async (transaction) => {
      await lockDeviceKeys(transaction, projectId, deviceSerial)
      // The device repeats a claim whose reply was lost.
      if (await isRegistered(transaction, device, key, this.clock.now())) return null
      if (policy === 'approval') return this.wait(transaction, device, key)
      await refuseClaimed(transaction, device)
      const token =
        policy === 'onboarding-token'
          ? await this.tokens.execute(transaction, input.onboarding_token, { organizationId, projectId })
          : null
      if (token === undefined)
        throw claimRefused('The onboarding token is missing or not valid, has expired, or is used up.')
      const made = { id: this.randomness.newId(), now: this.clock.now() }
      const { row } = await registerDeviceKey(transaction, device, key, made)
      recordAudit(transaction, by, {
        ...{ action: 'device_key.claimed', target: ['device', deviceSerial], organizationId },
        details: {
          ...{ project_id: projectId, device_key_id: row.id, onboarding_token_id: token },
          thumbprint: key.thumbprint.toString('base64url'),
        },
      })
      notifyKeyChange(transaction, 'device.claimed', device, { id: row.id, at: made.now })
      return null
    })
    return {
      status: expiresAt ? 'waiting' : 'registered',
      device_serial: deviceSerial,
      thumbprint: key.thumbprint.toString('base64url'),
      expires_at: expiresAt?.toISOString() ?? null,
    }
  }

  /** Returns the policy of a project, and the text of the key that the caller has: the current one, or one in its grace period. */
  private async projectOf(projectId: string, by: Principal) {
    const credentialId = by.kind === 'service' ? null : by.credential_id
    const [project] = await this.database.$queryRaw<{ policy: string; projectKey: string }[]>`
      SELECT device_claims AS policy, coalesce(replaced.key, project_keys.key) AS "projectKey"
      FROM project_keys LEFT JOIN replaced_project_keys replaced
        ON replaced.project_id = project_keys.project_id AND replaced.id = ${credentialId}::uuid
      WHERE project_keys.project_id = ${projectId}::uuid`
    if (!project) throw projectNotFound()
    return project
  }

  /** Lets a claim wait for a manager. @returns when it expires */
  private async wait(transaction: Transaction, device: OwnedDevice, key: ReadKey): Promise<Date> {
    const now = this.clock.now()
    const where = { organizationId_projectId_deviceSerial: device }
    const before = await transaction.deviceClaim.findUnique({ where })
    if (before && before.expiresAt > now) {
      const isSame = key.thumbprint.equals(before.thumbprint)
      if (isSame && before.rejectedAt) throw claimRefused('A manager has rejected the claim of this key.')
      if (isSame) return before.expiresAt
      if (!before.rejectedAt) throw conflict('Another key of this device waits for approval.')
    }
    await transaction.deviceClaim.deleteMany({ where: device })
    const { organizationId, projectId } = device
    const waiting = { organizationId, projectId, rejectedAt: null, expiresAt: { gt: now } }
    refuseBeyond(QUOTA, await transaction.deviceClaim.count({ where: waiting }))
    const expiresAt = new Date(now.getTime() + CLAIM_DAYS * DAY_MS)
    const clientAddress = currentCall()?.clientAddress ?? null
    const times = { createdAt: now, expiresAt }
    await transaction.deviceClaim.create({
      data: { id: this.randomness.newId(), ...device, ...key, clientAddress, ...times },
    })
    return expiresAt
  }
}

async function isRegistered(
  transaction: Transaction,
  device: OwnedDevice,
  { thumbprint }: ReadKey,
  now: Date,
): Promise<boolean> {
  const row = await transaction.deviceKey.findFirst({ where: { ...device, thumbprint } })
  return row !== null && (row.expiresAt === null || row.expiresAt > now)
}

/** The first key of a serial number wins. After a revocation the device needs approval, or another serial number. */
async function refuseClaimed(transaction: Transaction, device: OwnedDevice): Promise<void> {
  if (await transaction.deviceKey.findFirst({ where: device, select: { id: true } }))
    throw conflict('The device has another key. A manager can revoke it, or register this one.')
  if (await transaction.revokedDevice.findFirst({ where: device }))
    throw claimRefused('A key of this device was revoked. A manager can register another one.')
}

function conflict(detail: string): OperationError {
  return new OperationError('device_claim_conflict', detail)
}
