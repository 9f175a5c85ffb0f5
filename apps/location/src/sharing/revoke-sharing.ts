import { revokeSharing } from '@bearing/contracts/location/sharing'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../ground/audit-log.js'
import { Database } from '../ground/database.js'
import { approvalChange } from './approval-change.js'

@Controller()
export class RevokeSharing {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  @Handle(revokeSharing)
  async execute(input: Input<typeof revokeSharing>, by: Principal): Promise<Output<typeof revokeSharing>> {
    const now = this.clock.now()
    const change = { organizationId: input.organization_id, approvedAt: null, now }
    return approvalChange(this.database, this.audit, by, change)
  }
}
