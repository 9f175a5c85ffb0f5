import { MAX_CHARTED_CHUNKS, showDeviceUsage } from '@bearing/contracts/management/devices/device'
import type { Input, Output } from '@bearing/contracts/operation'
import { pointsOf } from '@bearing/contracts/counts/usage'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { findDevice } from './device-row.js'

@Controller()
export class ShowDeviceUsage {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reads the last chunks by the index of their order. */
  @Handle(showDeviceUsage)
  async execute(input: Input<typeof showDeviceUsage>): Promise<Output<typeof showDeviceUsage>> {
    const { id, lastSeenAt } = await findDevice(this.database, input)
    const { step, at } = pointsOf(input.period, this.clock.now())
    const rows = await this.database.$queryRaw<{ at: Date; count: number; bytes: number }[]>`
      SELECT date_trunc(${step}::text, received_at, 'UTC') AS at, count(*)::integer AS count, sum(size)::float8 AS bytes
      FROM (
        SELECT received_at, size FROM device_chunks
        WHERE device_id = ${id}::uuid AND received_at BETWEEN ${at[0]}::timestamptz AND ${lastSeenAt}::timestamptz
        ORDER BY stream_started_at DESC, sequence DESC, part DESC LIMIT ${MAX_CHARTED_CHUNKS}::integer
      ) last
      GROUP BY 1`
    const byPoint = new Map(rows.map((row) => [row.at.toISOString(), row]))
    return {
      step,
      points: at.map((start) => {
        const { count = 0, bytes = 0 } = byPoint.get(start) ?? {}
        return { at: start, chunks: { count, bytes } }
      }),
    }
  }
}
