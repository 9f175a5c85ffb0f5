import { areDeviceLocationsWanted } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'

@Controller()
export class AreDeviceLocationsWanted {
  constructor(private readonly database: Database) {}

  @Handle(areDeviceLocationsWanted)
  async execute({
    project_id: projectId,
  }: Input<typeof areDeviceLocationsWanted>): Promise<Output<typeof areDeviceLocationsWanted>> {
    const where = { projectId, pausedAt: null, events: { has: 'device.location_resolved' } }
    return { wanted: (await this.database.webhook.findFirst({ where, select: { id: true } })) !== null }
  }
}
