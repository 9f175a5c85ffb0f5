import {
  NO_FALLBACK,
  locationFallbackChanged,
  turnOffLocationFallback,
} from '@bearing/contracts/location/settings/location-fallback'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Connection } from '@bearing/nats/connection'
import { broadcastEvent } from '@bearing/nats/events'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit-log.js'
import { Database } from '../../ground/database.js'

@Controller()
export class TurnOffLocationFallback {
  constructor(
    private readonly database: Database,
    private readonly connection: Connection,
  ) {}

  @Handle(turnOffLocationFallback)
  async execute(
    { organization_id: organizationId }: Input<typeof turnOffLocationFallback>,
    by: Principal,
  ): Promise<Output<typeof turnOffLocationFallback>> {
    const where = { organizationId }
    await this.database.transaction(async (transaction) => {
      const before = await transaction.locationFallback.findUnique({ where })
      await transaction.locationFallback.deleteMany({ where })
      recordAudit(transaction, by, {
        action: 'location_fallback.turned_off',
        target: ['organization', organizationId],
        organizationId,
        details: { url_before: before?.url ?? null },
      })
    })
    broadcastEvent(this.connection, locationFallbackChanged, { organization_id: organizationId })
    return NO_FALLBACK
  }
}
