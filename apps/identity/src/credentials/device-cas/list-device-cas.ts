import { listDeviceCas } from '@bearing/contracts/identity/devices/device-ca'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toDeviceCa } from './device-ca-row.js'

@Controller()
export class ListDeviceCas {
  constructor(private readonly database: Database) {}

  @Handle(listDeviceCas)
  async execute(input: Input<typeof listDeviceCas>): Promise<Output<typeof listDeviceCas>> {
    const where = { organizationId: input.organization_id, projectId: input.project_id }
    const rows = await this.database.deviceCa.findMany({ where, orderBy: { id: 'desc' } })
    const start = (input.page - 1) * input.per_page
    return page(rows.slice(start, start + input.per_page).map(toDeviceCa), rows.length, input)
  }
}
