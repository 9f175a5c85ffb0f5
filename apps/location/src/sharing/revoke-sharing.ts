import { revokeSharing } from '@bearing/contracts/location/sharing'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { changeApproval } from './approval-change.js'

@Controller()
export class RevokeSharing {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(revokeSharing)
  async execute(input: Input<typeof revokeSharing>, by: Principal): Promise<Output<typeof revokeSharing>> {
    const now = this.clock.now()
    const change = { organizationId: input.organization_id, approvedAt: null, now }
    return changeApproval(this.database, by, change)
  }
}
