import { moveDevicePositions } from '@bearing/contracts/location/device-position'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'

/** Positions that one statement moves: readers see up to so many move in one step. */
const BATCH = 20_000

@Controller()
export class MoveDevicePositions {
  constructor(private readonly database: Database) {}

  /** The oldest first, so that the last position of the device is right in between. */
  @Handle(moveDevicePositions)
  async execute(input: Input<typeof moveDevicePositions>): Promise<Output<typeof moveDevicePositions>> {
    const { organization_id, project_id, to_project_id, device_serial, until } = input
    let moved = 0
    for (let some = BATCH; some === BATCH; moved += some)
      some = await this.database.$executeRaw`
        UPDATE device_positions SET project_id = ${to_project_id}::uuid WHERE ctid = ANY (ARRAY (
          SELECT ctid FROM device_positions
          WHERE project_id = ${project_id}::uuid AND organization_id = ${organization_id}::uuid
            AND device_serial = ${device_serial} AND at <= ${until}::timestamptz
          ORDER BY at, id LIMIT ${BATCH}::integer FOR UPDATE
        ))`
    return { moved }
  }
}
