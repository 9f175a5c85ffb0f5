import { deleteDevice } from '@bearing/contracts/management/devices/device'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { deletePositions } from './delete-positions.js'
import { EraseDevice } from './erase-device.js'

@Controller()
export class DeleteDevice {
  constructor(
    private readonly erase: EraseDevice,
    private readonly client: NatsClient,
  ) {}

  @Handle(deleteDevice)
  execute(input: Input<typeof deleteDevice>, by: Principal): Promise<Output<typeof deleteDevice>> {
    return this.erase.execute(input, by, { deletePositions: () => deletePositions(this.client, input) })
  }
}
