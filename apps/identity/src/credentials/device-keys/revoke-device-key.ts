import { revokeDeviceKey } from '@bearing/contracts/identity/devices/device-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { deviceKeyNotFound } from './device-key-row.js'
import { notifyKeyChange } from '../../ground/device-keys/notify-key-change.js'

@Controller()
export class RevokeDeviceKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(revokeDeviceKey)
  async execute(
    input: Input<typeof revokeDeviceKey>,
    by: Principal,
  ): Promise<Output<typeof revokeDeviceKey>> {
    const { organization_id: organizationId, project_id: projectId, device_serial: deviceSerial } = input
    await this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      const where = { id: input.device_key_id, organizationId, projectId, deviceSerial }
      const { count } = await transaction.deviceKey.deleteMany({ where })
      if (count === 0) throw deviceKeyNotFound()
      // Otherwise the device would claim another key.
      const device = { organizationId, projectId, deviceSerial }
      await transaction.revokedDevice.createMany({ data: device, skipDuplicates: true })
      recordAudit(transaction, by, {
        ...{ action: 'device_key.revoked', target: ['device', deviceSerial], organizationId },
        details: { project_id: projectId, device_key_id: where.id },
      })
      notifyKeyChange(transaction, 'device.key_revoked', device, { id: where.id, at: this.clock.now() })
      recordCredentialChange(transaction, `credential:${where.id}`)
    })
    return {}
  }
}
