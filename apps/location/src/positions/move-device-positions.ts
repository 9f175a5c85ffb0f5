import { moveDevicePositions } from '@bearing/contracts/location/device-position'
import { DEFAULT_POSITION_POLICY } from '@bearing/contracts/location/position-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'

/** Positions that one statement moves: readers see up to so many move in one step. */
const BATCH = 20_000

@Controller()
export class MoveDevicePositions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The oldest first, so that the last position of the device is right in between. The other project gets its default policy as a
   * row: the sweep and the erasure of an organization find positions by the policies of its projects.
   */
  @Handle(moveDevicePositions)
  async execute(input: Input<typeof moveDevicePositions>): Promise<Output<typeof moveDevicePositions>> {
    const { organization_id, project_id, to_project_id, device_serial, until } = input
    const { store_positions, retention_days } = DEFAULT_POSITION_POLICY
    await this.database.$executeRaw`
      INSERT INTO position_policies (organization_id, project_id, store_positions, retention_days, updated_at)
      VALUES (${organization_id}::uuid, ${to_project_id}::uuid, ${store_positions}, ${retention_days}, ${this.clock.now()}::timestamptz)
      ON CONFLICT DO NOTHING`
    let moved = 0
    for (let some = 1; some > 0; moved += some)
      some = await this.database.$executeRaw`
        UPDATE device_positions SET project_id = ${to_project_id}::uuid
        WHERE project_id = ${project_id}::uuid AND organization_id = ${organization_id}::uuid
          AND device_serial = ${device_serial} AND at <= ${until}::timestamptz
          AND (at, id) <= (SELECT at, id FROM (
            SELECT at, id FROM device_positions
            WHERE project_id = ${project_id}::uuid AND organization_id = ${organization_id}::uuid
              AND device_serial = ${device_serial} AND at <= ${until}::timestamptz
            ORDER BY at, id LIMIT ${BATCH}::integer
          ) AS batch ORDER BY at DESC, id DESC LIMIT 1)`
    return { moved }
  }
}
