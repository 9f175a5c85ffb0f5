import { OperationError } from '@bearing/contracts/errors'
import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { readChunk } from '@bearing/contracts/management/data/chunk'
import { messageId } from '@bearing/contracts/management/data/chunk-message'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { MAX_NAMED_READINGS, Readings } from '@bearing/service/audit/readings'
import { Controller } from '@nestjs/common'
import { ChunkPayloads } from '../../storage/payloads/chunk-payloads.js'
import { Database } from '../../ground/database.js'
import { findDevice } from '../devices/device-row.js'

/** Largest difference between the time in a message's id, by a gateway's clock, and its storage in JetStream, in milliseconds. */
const CLOCKS_MS = 600_000

const NEVER = new Date(0)
const MORE = { devices: `more than ${String(MAX_NAMED_READINGS)} devices` }

@Controller()
export class ReadChunk {
  constructor(
    private readonly database: Database,
    private readonly payloads: ChunkPayloads,
    private readonly readings: Readings<AuditAction<'management'>>,
  ) {}

  @Handle(readChunk)
  async execute(input: Input<typeof readChunk>, by: Principal): Promise<Output<typeof readChunk>> {
    const { id: deviceId, firstSeenAt, lastSeenAt } = await findDevice(this.database, input)
    const id = input.chunk_id
    const receivedAt = await this.timesOf(id)
    const find = (where: object) =>
      this.database.chunk.findFirst({
        where: { id, deviceId, ...where },
        select: { size: true, data: true, objectId: true, objectOffset: true },
      })
    const row =
      (await find({ receivedAt })) ??
      (await find({ receivedAt: { gte: firstSeenAt ?? NEVER, lte: lastSeenAt ?? NEVER } }))
    const [content] = row ? await this.payloads.read([row]) : []
    if (!content)
      throw new OperationError(
        'chunk_not_found',
        'The device has no such chunk, or the retention period of the project is over.',
      )
    const event = {
      action: 'device_data.read',
      target: ['project', input.project_id],
      organizationId: input.organization_id,
      details: { device_serial: input.device_serial },
    } as const
    await this.readings.note(by, event, MORE)
    return { content: Buffer.from(content).toString('base64') }
  }

  /** Returns when a chunk was received, about, by its id: only the partitions of that time are searched first. */
  private async timesOf(id: string): Promise<{ gte: Date; lte: Date }> {
    if (id[14] === '7') {
      const atMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
      return { gte: new Date(atMs - CLOCKS_MS), lte: new Date(atMs + CLOCKS_MS) }
    }
    const request = await this.database.chunkRequest.findUnique({ where: { id: messageId(id) } })
    const at = request?.receivedAt ?? NEVER
    return { gte: at, lte: at }
  }
}
