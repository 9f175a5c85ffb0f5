import { eraseDeviceKeys } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'

/** Management calls this when it deletes a device, and records the audit event. The serial number can be claimed again. */
@Controller()
export class EraseDeviceKeys {
  constructor(private readonly database: Database) {}

  @Handle(eraseDeviceKeys)
  execute(input: Input<typeof eraseDeviceKeys>): Promise<Output<typeof eraseDeviceKeys>> {
    const { organization_id, project_id, device_serial } = input
    return this.database.transaction(async (transaction) => {
      const erased = await transaction.$queryRaw<{ id: string }[]>`
        DELETE FROM device_keys
        WHERE organization_id = ${organization_id}::uuid AND project_id = ${project_id}::uuid
          AND device_serial = ${device_serial}
        RETURNING id`
      const where = { organizationId: organization_id, projectId: project_id, deviceSerial: device_serial }
      await transaction.deviceClaim.deleteMany({ where })
      await transaction.revokedDevice.deleteMany({ where })
      if (erased.length > 0)
        recordCredentialChange(transaction, ...erased.map(({ id }) => `credential:${id}` as const))
      return { erased: erased.length }
    })
  }
}
