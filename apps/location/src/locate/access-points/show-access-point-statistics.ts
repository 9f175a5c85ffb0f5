import { showAccessPointStatistics } from '@bearing/contracts/location/access-points/access-point'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { BASE_LAYER } from '../../ground/layer.js'

const EMPTY = { access_points: 0, observations: 0, updated_at: null }

/** Counts the access points that positions are found with. The sums are kept by the commit of an import. */
@Controller()
export class ShowAccessPointStatistics {
  constructor(private readonly database: Database) {}

  @Handle(showAccessPointStatistics)
  async execute(
    input: Input<typeof showAccessPointStatistics>,
  ): Promise<Output<typeof showAccessPointStatistics>> {
    const own = input.organization_id.toLowerCase()
    const layers = await this.database.layer.findMany({
      where: { organizationId: { in: [own, BASE_LAYER] } },
    })
    const sums = (id: string) => {
      const layer = layers.find(({ organizationId }) => organizationId === id)
      if (!layer) return EMPTY
      return {
        access_points: Number(layer.accessPoints),
        observations: Number(layer.observations),
        updated_at: layer.updatedAt.toISOString(),
      }
    }
    return { organization: sums(own), shared: sums(BASE_LAYER) }
  }
}
