import { showDevicePosition } from '@bearing/contracts/location/positions/device-position'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import {
  NEWEST_FIRST,
  SHOWN,
  keptSince,
  ofDevice,
  positionNotFound,
  toDevicePosition,
} from './position-row.js'
import { RecordReading } from './record-reading.js'

@Controller()
export class ShowDevicePosition {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly readings: RecordReading,
  ) {}

  @Handle(showDevicePosition)
  async execute(
    input: Input<typeof showDevicePosition>,
    by: Principal,
  ): Promise<Output<typeof showDevicePosition>> {
    const since = await keptSince(this.database, input, this.clock.now())
    const row = await this.database.devicePosition.findFirst({
      where: { ...ofDevice(input), at: { gte: since } },
      select: SHOWN,
      orderBy: [...NEWEST_FIRST],
    })
    if (!row) throw positionNotFound()
    await this.readings.execute(input, by, input.device_serial)
    return toDevicePosition(row)
  }
}
