import { listChunks } from '@bearing/contracts/management/data/chunk'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { findDevice } from '../devices/device-row.js'

@Controller()
export class ListChunks {
  constructor(private readonly database: Database) {}

  @Handle(listChunks)
  async execute(input: Input<typeof listChunks>): Promise<Output<typeof listChunks>> {
    const { id: deviceId, firstSeenAt, lastSeenAt } = await findDevice(this.database, input)
    if (!firstSeenAt || !lastSeenAt) return page([], 0, input)
    // Leaves out partitions that cannot have chunks of it.
    const where = { deviceId, receivedAt: { gte: firstSeenAt, lte: lastSeenAt } }
    const [count, rows] = await Promise.all([
      this.database.chunk.count({ where }),
      this.database.chunk.findMany({
        where,
        select: { id: true, receivedAt: true, size: true },
        orderBy: [{ streamStartedAt: 'asc' }, { sequence: 'asc' }, { part: 'asc' }],
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const data = rows.map(({ id, receivedAt, size }) => ({ id, received_at: receivedAt.toISOString(), size }))
    return page(data, count, input)
  }
}
