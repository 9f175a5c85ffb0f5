import { OperationError } from '@bearing/contracts/errors'
import { readChunk } from '@bearing/contracts/management/data/chunk'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { findDevice } from '../devices/device-row.js'

@Controller()
export class ReadChunk {
  constructor(private readonly database: Database) {}

  @Handle(readChunk)
  async execute(input: Input<typeof readChunk>): Promise<Output<typeof readChunk>> {
    const { id: deviceId } = await findDevice(this.database, input)
    const row = await this.database.chunk.findUnique({
      where: { id: input.chunk_id, deviceId },
      select: { data: true },
    })
    if (!row)
      throw new OperationError(
        'chunk_not_found',
        'The device has no such chunk, or the retention period of the project is over.',
      )
    return { content: Buffer.from(row.data).toString('base64') }
  }
}
