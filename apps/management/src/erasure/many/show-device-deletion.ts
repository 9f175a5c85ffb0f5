import { showDeviceDeletion } from '@bearing/contracts/management/devices/device-deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { deletionNotFound, ofDeletion, toDeletion } from './deletion-row.js'

@Controller()
export class ShowDeviceDeletion {
  constructor(private readonly database: Database) {}

  @Handle(showDeviceDeletion)
  async execute(input: Input<typeof showDeviceDeletion>): Promise<Output<typeof showDeviceDeletion>> {
    const row = await this.database.deviceBulkDeletion.findFirst({ where: ofDeletion(input) })
    if (!row) throw deletionNotFound()
    return toDeletion(row)
  }
}
