import { showDevice } from '@bearing/contracts/management/devices/device'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { findDevice, showWithAttributes } from './device-row.js'

@Controller()
export class ShowDevice {
  constructor(private readonly database: Database) {}

  @Handle(showDevice)
  async execute(input: Input<typeof showDevice>): Promise<Output<typeof showDevice>> {
    const row = await findDevice(this.database, input)
    return showWithAttributes(this.database, input.project_id, row)
  }
}
