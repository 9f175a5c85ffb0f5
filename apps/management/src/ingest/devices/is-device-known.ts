import { isDeviceKnown } from '@bearing/contracts/management/devices/device'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class IsDeviceKnown {
  constructor(private readonly database: Database) {}

  @Handle(isDeviceKnown)
  async execute({
    project_id: projectId,
    device_serial: serial,
  }: Input<typeof isDeviceKnown>): Promise<Output<typeof isDeviceKnown>> {
    const where = { projectId_serial: { projectId, serial } }
    return { known: (await this.database.device.findUnique({ where, select: { id: true } })) !== null }
  }
}
