import { listSharing, MAX_SHARING } from '@bearing/contracts/location/sharing'
import type { Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { sharingView } from './approval-change.js'

@Controller()
export class ListSharing {
  constructor(private readonly database: Database) {}

  @Handle(listSharing)
  async execute(): Promise<Output<typeof listSharing>> {
    const rows = await this.database.locationSettings.findMany({
      where: { OR: [{ shareObservations: true }, { sharingApprovedAt: { not: null } }] },
      orderBy: { organizationId: 'asc' },
      take: MAX_SHARING,
    })
    return { data: rows.map(sharingView) }
  }
}
