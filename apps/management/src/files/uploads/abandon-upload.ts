import { abandonUpload } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class AbandonUpload {
  constructor(private readonly database: Database) {}

  /** Marks the object for the sweep, unless it is complete. */
  @Handle(abandonUpload)
  async execute({ object_id: id }: Input<typeof abandonUpload>): Promise<Output<typeof abandonUpload>> {
    await this.database.storedObject.updateMany({ where: { id, sha256: null }, data: { leaving: true } })
    return {}
  }
}
