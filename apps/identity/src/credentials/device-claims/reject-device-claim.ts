import { rejectDeviceClaim } from '@bearing/contracts/identity/devices/device-claim'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { lockClaim, recordDecision } from './lock-claim.js'

@Controller()
export class RejectDeviceClaim {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(rejectDeviceClaim)
  async execute(
    input: Input<typeof rejectDeviceClaim>,
    by: Principal,
  ): Promise<Output<typeof rejectDeviceClaim>> {
    await this.database.transaction(async (transaction) => {
      const now = this.clock.now()
      const claim = await lockClaim(transaction, input, by, now)
      await transaction.deviceClaim.update({ where: { id: claim.id }, data: { rejectedAt: now } })
      recordDecision(transaction, by, 'device_claim.rejected', claim)
    })
    return {}
  }
}
