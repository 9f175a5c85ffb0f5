import { setDeviceSampling } from '@bearing/contracts/management/devices/device-config'
import { SAMPLING_ASPECTS } from '@bearing/contracts/management/devices/sampling'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { SHOWN, findDevice, toDevice } from './device-row.js'

@Controller()
export class SetDeviceSampling {
  constructor(private readonly database: Database) {}

  @Handle(setDeviceSampling)
  async execute(
    input: Input<typeof setDeviceSampling>,
    by: Principal,
  ): Promise<Output<typeof setDeviceSampling>> {
    const sampling = Object.fromEntries(
      SAMPLING_ASPECTS.flatMap((aspect) => (input[aspect] ? [[aspect, input[aspect]]] : [])),
    )
    return this.database.transaction(async (transaction) => {
      const { id } = await findDevice(transaction, input)
      const row = await transaction.device.update({ where: { id }, data: { sampling }, select: SHOWN })
      recordAudit(transaction, by, {
        action: 'device.sampling_changed',
        target: ['device', id],
        organizationId: input.organization_id,
        details: { project_id: input.project_id, device_serial: input.device_serial, ...sampling },
      })
      return toDevice(row)
    })
  }
}
