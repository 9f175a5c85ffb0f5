import { appendUpload } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Storages } from '../../storage/storage.js'

@Controller()
export class AppendUpload {
  constructor(private readonly storages: Storages) {}

  /** Only the gateway may call this, for objects that it opened, so a part costs a single write. */
  @Handle(appendUpload)
  async execute(input: Input<typeof appendUpload>): Promise<Output<typeof appendUpload>> {
    const { object_id: objectId, data, after } = input
    return { sequence: await this.storages.named('jetstream').append(objectId, data, after) }
  }
}
