import { listDeviceKeys } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toDeviceKey } from './device-key-row.js'

@Controller()
export class ListDeviceKeys {
  constructor(private readonly database: Database) {}

  @Handle(listDeviceKeys)
  async execute(input: Input<typeof listDeviceKeys>): Promise<Output<typeof listDeviceKeys>> {
    const { organization_id: organizationId, project_id: projectId, device_serial: deviceSerial } = input
    const rows = await this.database.deviceKey.findMany({
      where: { organizationId, projectId, deviceSerial },
      orderBy: { id: 'desc' },
    })
    const start = (input.page - 1) * input.per_page
    return page(rows.slice(start, start + input.per_page).map(toDeviceKey), rows.length, input)
  }
}
