import { changeLocationSettings } from '@bearing/contracts/location/settings/location-settings'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit-log.js'
import { Database } from '../../ground/database.js'
import { viewSettings } from './settings-view.js'

@Controller()
export class ChangeLocationSettings {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(changeLocationSettings)
  async execute(
    input: Input<typeof changeLocationSettings>,
    by: Principal,
  ): Promise<Output<typeof changeLocationSettings>> {
    const { organization_id: organizationId, observation_retention_days } = input
    const data = {
      retentionDays: observation_retention_days,
      updatedAt: this.clock.now(),
    }
    return this.database.transaction(async (transaction) => {
      const before = viewSettings(
        await transaction.locationSettings.findUnique({ where: { organizationId } }),
      )
      const row = await transaction.locationSettings.upsert({
        where: { organizationId },
        create: { organizationId, ...data },
        update: data,
      })
      const after = viewSettings(row)
      recordAudit(transaction, by, {
        action: 'location_settings.changed',
        target: ['organization', organizationId],
        organizationId,
        details: {
          observation_retention_days,
          observation_retention_days_before: before.observation_retention_days,
        },
      })
      return after
    })
  }
}
