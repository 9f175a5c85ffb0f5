import { eraseDevicePositions } from '@bearing/contracts/location/positions/device-position'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { BATCH, deleteSome } from './delete-device-positions.js'
import { ofDevice } from './position-row.js'

@Controller()
export class EraseDevicePositions {
  constructor(private readonly database: Database) {}

  @Handle(eraseDevicePositions)
  async execute(input: Input<typeof eraseDevicePositions>): Promise<Output<typeof eraseDevicePositions>> {
    let deleted = 0
    for (let some = BATCH; some === BATCH; deleted += some) some = await deleteSome(this.database, input)
    return { deleted, left: await this.database.devicePosition.count({ where: ofDevice(input) }) }
  }
}
