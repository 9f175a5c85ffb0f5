import { deleteDevicePositions } from '@bearing/contracts/location/positions/device-position'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import { Database, type Transaction } from '../ground/database.js'
import { ofDevice, type DeviceScope } from './position-row.js'

/** Positions that one statement deletes. */
export const BATCH = 5_000

@Controller()
export class DeleteDevicePositions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Deletes in batches, and the rest in the transaction of the audit event, which counts all. */
  @Handle(deleteDevicePositions)
  async execute(
    input: Input<typeof deleteDevicePositions>,
    by: Principal,
  ): Promise<Output<typeof deleteDevicePositions>> {
    let before = 0
    for (let some = 1; some > 0; before += some) some = await deleteSome(this.database, input)
    const positions = await this.database.transaction(async (transaction) => {
      const all = before + (await deleteSome(transaction, input))
      if (all > 0)
        recordAudit(transaction, by, {
          action: 'device_positions.deleted',
          target: ['project', input.project_id],
          organizationId: input.organization_id,
          details: { device_serial: input.device_serial, positions: all },
        })
      return all
    })
    return {
      device_serial: input.device_serial,
      deleted_at: this.clock.now().toISOString(),
      deleted: { positions },
      left: { positions: await this.database.devicePosition.count({ where: ofDevice(input) }) },
    }
  }
}

/**
 * Deletes a batch of positions of a device. The oldest first, so that the last position of the device is right in between.
 */
export function deleteSome(database: Database | Transaction, place: DeviceScope): Promise<number> {
  return database.$executeRaw`
    DELETE FROM device_positions
    WHERE project_id = ${place.project_id}::uuid AND organization_id = ${place.organization_id}::uuid
      AND device_serial = ${place.device_serial}
      AND (at, id) <= (SELECT at, id FROM (
        SELECT at, id FROM device_positions
        WHERE project_id = ${place.project_id}::uuid AND organization_id = ${place.organization_id}::uuid
          AND device_serial = ${place.device_serial}
        ORDER BY at, id LIMIT ${BATCH}::integer
      ) AS batch ORDER BY at DESC, id DESC LIMIT 1)`
}
