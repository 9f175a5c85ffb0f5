import { listDevicePositions } from '@bearing/contracts/location/positions/device-position'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { NEWEST_FIRST, SHOWN, keptSince, ofDevice, toDevicePosition } from './position-row.js'
import { RecordReading } from './record-reading.js'

@Controller()
export class ListDevicePositions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly readings: RecordReading,
  ) {}

  @Handle(listDevicePositions)
  async execute(
    input: Input<typeof listDevicePositions>,
    by: Principal,
  ): Promise<Output<typeof listDevicePositions>> {
    const kept = await keptSince(this.database, input, this.clock.now())
    const from = new Date(Math.max(kept.getTime(), input.from === undefined ? 0 : Date.parse(input.from)))
    const where = {
      ...ofDevice(input),
      at: { gte: from, ...(input.to !== undefined && { lt: new Date(input.to) }) },
    }
    const [count, rows] = await Promise.all([
      this.database.devicePosition.count({ where }),
      this.database.devicePosition.findMany({
        where,
        select: SHOWN,
        orderBy: [...NEWEST_FIRST],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    if (rows.length > 0) await this.readings.execute(input, by, input.device_serial)
    return page(rows.map(toDevicePosition), count, input)
  }
}
