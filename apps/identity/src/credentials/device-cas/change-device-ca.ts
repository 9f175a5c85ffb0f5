import { changeDeviceCa } from '@bearing/contracts/identity/devices/device-ca'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { deviceCaNotFound, toDeviceCa } from './device-ca-row.js'

@Controller()
export class ChangeDeviceCa {
  constructor(private readonly database: Database) {}

  @Handle(changeDeviceCa)
  execute(input: Input<typeof changeDeviceCa>, by: Principal): Promise<Output<typeof changeDeviceCa>> {
    const { organization_id: organizationId, project_id: projectId, device_ca_id: id } = input
    return this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      const { serial_from, serial_pattern, just_in_time } = input
      const data = {
        ...(serial_from !== undefined && { serialFrom: serial_from }),
        ...(serial_pattern !== undefined && { serialPattern: serial_pattern }),
        ...(just_in_time !== undefined && { justInTime: just_in_time }),
      }
      const where = { id, organizationId, projectId }
      const { count } = await transaction.deviceCa.updateMany({ where, data })
      if (count === 0) throw deviceCaNotFound()
      const row = await transaction.deviceCa.findUniqueOrThrow({ where: { id } })
      const { serialFrom, serialPattern, justInTime } = row
      recordAudit(transaction, by, {
        ...{ action: 'device_ca.changed', target: ['device_ca', id], organizationId },
        details: {
          project_id: projectId,
          ...{ serial_from: serialFrom, serial_pattern: serialPattern, just_in_time: justInTime },
        },
      })
      // Cached devices may have another serial number by the new rule.
      recordCredentialChange(transaction, `project:${projectId}`)
      return toDeviceCa(row)
    })
  }
}
