import { changeDevice } from '@bearing/contracts/management/devices/device-attribute'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../../ground/database.js'
import { recordAudit } from '../../../ground/record-audit.js'
import { requireProject } from '../../../tenancy/projects/require-project.js'
import { deviceNotFound, findDevice, showWithAttributes } from '../device-row.js'
import { planChange } from './plan-change.js'
import { lockDeclared, lockDevices, writeChanges } from './write-changes.js'

@Controller()
export class ChangeDevice {
  constructor(private readonly database: Database) {}

  @Handle(changeDevice)
  async execute(input: Input<typeof changeDevice>, by: Principal): Promise<Output<typeof changeDevice>> {
    const { project_id: projectId, device_serial: serial } = input
    return this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      const declared = await lockDeclared(transaction, projectId)
      const device = (await lockDevices(transaction, projectId, [serial])).get(serial)
      if (!device) throw deviceNotFound()
      const change = planChange(device, input, declared)
      if (change.changes.length > 0) {
        await writeChanges(transaction, projectId, [{ id: device.id, serial, change }])
        recordAudit(transaction, by, {
          action: 'device.changed',
          target: ['device', device.id],
          organizationId: input.organization_id,
          details: { project_id: projectId, device_serial: serial, changes: [...change.changes] },
        })
      }
      return showWithAttributes(transaction, projectId, await findDevice(transaction, input))
    })
  }
}
