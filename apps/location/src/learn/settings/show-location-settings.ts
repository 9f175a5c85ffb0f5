import { showLocationSettings } from '@bearing/contracts/location/settings/location-settings'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { viewSettings } from './settings-view.js'

@Controller()
export class ShowLocationSettings {
  constructor(private readonly database: Database) {}

  @Handle(showLocationSettings)
  async execute(input: Input<typeof showLocationSettings>): Promise<Output<typeof showLocationSettings>> {
    const row = await this.database.locationSettings.findUnique({
      where: { organizationId: input.organization_id },
    })
    return viewSettings(row)
  }
}
