import { showLocationFallback } from '@bearing/contracts/location/settings/location-fallback'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { viewFallback } from './fallback-row.js'

@Controller()
export class ShowLocationFallback {
  constructor(private readonly database: Database) {}

  @Handle(showLocationFallback)
  async execute(input: Input<typeof showLocationFallback>): Promise<Output<typeof showLocationFallback>> {
    const where = { organizationId: input.organization_id }
    return viewFallback(await this.database.locationFallback.findUnique({ where }))
  }
}
