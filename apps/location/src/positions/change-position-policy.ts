import { changePositionPolicy } from '@bearing/contracts/location/positions/position-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import { Database } from '../ground/database.js'
import { policyKey, viewPositionPolicy } from './position-policy-view.js'

@Controller()
export class ChangePositionPolicy {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(changePositionPolicy)
  async execute(
    input: Input<typeof changePositionPolicy>,
    by: Principal,
  ): Promise<Output<typeof changePositionPolicy>> {
    const { organization_id: organizationId, project_id: projectId, store_positions, retention_days } = input
    const where = policyKey(input)
    const data = {
      storePositions: store_positions,
      retentionDays: retention_days,
      updatedAt: this.clock.now(),
    }
    return this.database.transaction(async (transaction) => {
      const before = viewPositionPolicy(await transaction.positionPolicy.findUnique({ where }))
      const row = await transaction.positionPolicy.upsert({
        where,
        create: { organizationId, projectId, ...data },
        update: data,
      })
      const after = viewPositionPolicy(row)
      recordAudit(transaction, by, {
        action: 'position_policy.changed',
        target: ['project', projectId],
        organizationId,
        details: {
          ...after,
          store_positions_before: before.store_positions,
          retention_days_before: before.retention_days,
        },
      })
      return after
    })
  }
}
