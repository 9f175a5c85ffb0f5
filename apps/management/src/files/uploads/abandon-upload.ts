import { abandonUpload } from '@bearing/contracts/management/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class AbandonUpload {
  constructor(private readonly database: Database) {}

  /** The sweeper does the rest. What has become complete stays. */
  @Handle(abandonUpload)
  async execute({ object_id: id }: Input<typeof abandonUpload>): Promise<Output<typeof abandonUpload>> {
    await this.database.storedObject.updateMany({ where: { id, sha256: null }, data: { leaving: true } })
    return {}
  }
}
