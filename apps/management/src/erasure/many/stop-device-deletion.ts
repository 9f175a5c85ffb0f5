import { stopDeviceDeletion } from '@bearing/contracts/management/devices/device-deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { deletionNotFound, ofDeletion, toDeletion } from './deletion-row.js'

@Controller()
export class StopDeviceDeletion {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(stopDeviceDeletion)
  async execute(
    input: Input<typeof stopDeviceDeletion>,
    by: Principal,
  ): Promise<Output<typeof stopDeviceDeletion>> {
    return this.database.transaction(async (transaction) => {
      const { count } = await transaction.deviceBulkDeletion.updateMany({
        where: { ...ofDeletion(input), state: 'running' },
        data: { state: 'stopped', finishedAt: this.clock.now() },
      })
      const row = await transaction.deviceBulkDeletion.findFirst({ where: ofDeletion(input) })
      if (!row) throw deletionNotFound()
      if (count > 0)
        recordAudit(transaction, by, {
          action: 'devices.deletion_stopped',
          target: ['project', input.project_id],
          organizationId: input.organization_id,
          details: { deletion_id: row.id, devices: row.deleted },
        })
      return toDeletion(row)
    })
  }
}
