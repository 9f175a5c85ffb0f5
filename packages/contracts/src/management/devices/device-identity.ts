import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { Day } from '../../counts/usage.js'

/** Period of {@link showDeviceIdentity}, in days. */
export const IDENTITY_DAYS = 30

export const showDeviceIdentity = operation({
  subject: 'management.v1.device-identity.show',
  summary: 'Count the devices that do not prove who they are',
  description:
    'Compares the devices that sent data within 30 days with the keys that were used within 30 days. The rest would be refused if the project required device identity. Devices that only ask for positions are not counted.',
  input: z.object(ProjectScope),
  output: z.object({
    seen: z.int().min(0).describe('Devices that sent data within 30 days.'),
    proven: z.int().min(0).describe('How many of them used a key of their own within 30 days.'),
    without_proof: z
      .int()
      .min(0)
      .describe('How many of them did not: they are refused if `device_identity` is `required`.'),
    days: z
      .array(z.object({ day: Day, devices: z.int().min(0) }))
      .describe(
        'The devices of `without_proof` by the day (UTC) on which they last sent data, oldest first.',
      ),
  }),
  errors: ['project_not_found'],
  permission: 'device:read',
  timeoutMs: 30_000,
})
