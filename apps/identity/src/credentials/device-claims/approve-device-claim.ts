import { approveDeviceClaim } from '@bearing/contracts/identity/devices/device-claim'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toDeviceKey } from '../device-keys/device-key-row.js'
import { notifyKeyChange } from '../../ground/device-keys/notify-key-change.js'
import { registerDeviceKey } from '../../ground/device-keys/register-device-key.js'
import { lockClaim, recordDecision } from './lock-claim.js'

@Controller()
export class ApproveDeviceClaim {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(approveDeviceClaim)
  execute(
    input: Input<typeof approveDeviceClaim>,
    by: Principal,
  ): Promise<Output<typeof approveDeviceClaim>> {
    return this.database.transaction(async (transaction) => {
      const now = this.clock.now()
      const claim = await lockClaim(transaction, input, by, now)
      const { organizationId, projectId, deviceSerial } = claim
      const key = {
        publicKey: Buffer.from(claim.publicKey),
        thumbprint: Buffer.from(claim.thumbprint),
        keyHash: Buffer.from(claim.keyHash),
      }
      const device = { organizationId, projectId, deviceSerial }
      const made = { id: this.randomness.newId(), now }
      const { row } = await registerDeviceKey(transaction, device, key, made)
      await transaction.deviceClaim.delete({ where: { id: claim.id } })
      notifyKeyChange(transaction, 'device.claimed', device, { id: row.id, at: now })
      recordDecision(transaction, by, 'device_claim.approved', claim)
      return toDeviceKey(row)
    })
  }
}
