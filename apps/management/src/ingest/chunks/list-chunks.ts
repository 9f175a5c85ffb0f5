import { DAY_MS } from '@bearing/contracts/durations'
import { listChunks } from '@bearing/contracts/management/data/chunk'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { findDevice } from '../devices/device-row.js'

/** Time that one statement reads. It locks each partition of that time: all of them could use up the locks of Postgres. */
const WINDOW_MS = 60 * DAY_MS

interface Window {
  readonly gte: Date
  readonly lt: Date
}

@Controller()
export class ListChunks {
  constructor(private readonly database: Database) {}

  /** Reads window by window: a stream that is older, or a lower sequence, was received earlier. */
  @Handle(listChunks)
  async execute(input: Input<typeof listChunks>): Promise<Output<typeof listChunks>> {
    const { id, firstSeenAt, lastSeenAt } = await findDevice(this.database, input)
    const offset = (input.page - 1) * input.per_page
    const data: Output<typeof listChunks>['data'] = []
    let total = 0
    for (const window of windowsOf(firstSeenAt, lastSeenAt)) {
      const [count, rows] = await Promise.all([
        this.database.chunk.count({ where: { deviceId: id, receivedAt: window } }),
        this.rowsOf(id, window, Math.max(0, offset - total), input.per_page - data.length),
      ])
      total += count
      data.push(...rows)
    }
    return page(data, total, input)
  }

  private async rowsOf(
    deviceId: string,
    receivedAt: Window,
    skip: number,
    take: number,
  ): Promise<Output<typeof listChunks>['data']> {
    if (take === 0) return []
    const rows = await this.database.chunk.findMany({
      where: { deviceId, receivedAt },
      select: { id: true, receivedAt: true, size: true },
      orderBy: [{ streamStartedAt: 'asc' }, { sequence: 'asc' }, { part: 'asc' }],
      skip,
      take,
    })
    return rows.map(({ id, receivedAt: at, size }) => ({ id, received_at: at.toISOString(), size }))
  }
}

/** Returns the time from the first to the last data of a device in windows, the oldest first. */
function* windowsOf(first: Date | null, last: Date | null): Generator<Window> {
  if (!first || !last) return
  for (let atMs = first.getTime(); atMs <= last.getTime(); atMs += WINDOW_MS)
    yield { gte: new Date(atMs), lt: new Date(atMs + WINDOW_MS) }
}
