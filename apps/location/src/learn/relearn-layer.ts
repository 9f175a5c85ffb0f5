import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import { relearnLayer } from '@bearing/contracts/location/access-points/learned'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { recordEvent, Transactions } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import { Pools } from '../ground/database.js'
import { rebuildLayer } from './rebuild-layer.js'

/** Rebuilds a layer from the stored observations. */
@Controller()
export class RelearnLayer {
  constructor(
    private readonly pools: Pools,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  @Handle(relearnLayer)
  async execute(input: Input<typeof relearnLayer>, by: Principal): Promise<Output<typeof relearnLayer>> {
    const { organization_id: organizationId } = input
    const client = await this.pools.rebuild.connect()
    try {
      const rebuilt = await this.transactions.runOn(client, async () => {
        const { observations, accessPoints, cells } = await rebuildLayer(
          client,
          organizationId,
          this.clock.now(),
        )
        const details = { observations, access_points: accessPoints, cells }
        recordAudit(client, by, {
          action: 'layer.relearned',
          target: ['layer', organizationId],
          organizationId,
          details,
        })
        recordEvent(client, accessPointsChanged, { organization_id: organizationId })
        return details
      })
      client.release()
      return rebuilt
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}
