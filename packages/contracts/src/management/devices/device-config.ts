import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope, orNull } from '../../primitives.js'
import { Device, DeviceScope } from './device.js'
import { SamplingLevel } from './sampling.js'

export const setDeviceSampling = operation({
  subject: 'management.v1.device.set-sampling',
  summary: 'Set what one device may send',
  description:
    'An aspect that is absent or null follows the data policy of the project. Linux devices ask about once an hour.',
  input: z.object({
    ...DeviceScope,
    debugging: SamplingLevel.nullish(),
    logging: SamplingLevel.nullish(),
    monitoring: SamplingLevel.nullish(),
  }),
  output: Device,
  errors: ['device_not_found'],
  permission: 'data-policy:change',
})

/** Field names as the agents of Linux and Android devices read them. */
const ConfigSampling = z.object({
  'debugging.resolution': SamplingLevel,
  'logging.resolution': SamplingLevel,
  'monitoring.resolution': SamplingLevel,
})

export const readDeviceConfig = operation({
  subject: 'management.v1.device.config',
  summary: 'Return what a device may send',
  description:
    'For agents of Linux devices, with a project key. Until they get an answer, they send nothing. Sampling of the device replaces that of its project (default: `normal`).',
  input: z.object({
    ...ProjectScope,
    device: z.looseObject({ device_serial: orNull(z.string().max(1_024)) }).optional(),
  }),
  output: z.object({
    config: z.object({ memfault: z.object({ sampling: ConfigSampling }) }),
    revision: z.int().min(1).describe('The same number for the same configuration.'),
    completed: z.int().min(1).describe('Equal to `revision`: the device has nothing to confirm.'),
  }),
  errors: ['project_key_required'],
  permission: 'device-data:send',
  lenient: true,
})
