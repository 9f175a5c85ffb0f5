import { DeviceSerial } from '@bearing/contracts/management/devices/device'
import { readDeviceConfig } from '@bearing/contracts/management/devices/device-config'
import {
  NORMAL_SAMPLING,
  SAMPLING_ASPECTS,
  SAMPLING_LEVELS,
  type Sampling,
} from '@bearing/contracts/management/devices/sampling'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import type { z } from 'zod'
import { Database } from '../../ground/database.js'

type Levels = z.output<typeof Sampling>

@Controller()
export class ReadDeviceConfig {
  constructor(private readonly database: Database) {}

  @Handle(readDeviceConfig)
  async execute(input: Input<typeof readDeviceConfig>): Promise<Output<typeof readDeviceConfig>> {
    const { project_id: projectId } = input
    const serial = DeviceSerial.safeParse(input.device?.device_serial)
    const select = { sampling: true } as const
    const [policy, device] = await Promise.all([
      this.database.dataPolicy.findUnique({ where: { projectId }, select }),
      serial.success
        ? this.database.device.findUnique({
            where: { projectId_serial: { projectId, serial: serial.data } },
            select,
          })
        : null,
    ])
    const levels = {
      ...NORMAL_SAMPLING,
      ...(policy?.sampling as Partial<Levels> | undefined), // written by change-data-policy alone
      ...(device?.sampling as Partial<Levels> | undefined), // written by set-device-sampling alone
    }
    const revision = revisionOf(levels)
    return {
      config: {
        memfault: {
          sampling: {
            'debugging.resolution': levels.debugging,
            'logging.resolution': levels.logging,
            'monitoring.resolution': levels.monitoring,
          },
        },
      },
      revision,
      completed: revision,
    }
  }
}

/** A number from 1 to 64, another one for each configuration: agents notice a change by it. */
function revisionOf(levels: Levels): number {
  const digits = SAMPLING_ASPECTS.map((aspect) => SAMPLING_LEVELS.indexOf(levels[aspect]))
  return digits.reduce((number, digit) => number * SAMPLING_LEVELS.length + digit, 0) + 1
}
