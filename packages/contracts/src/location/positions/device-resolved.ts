import { z } from 'zod'
import { DeviceSerial } from '../../management/devices/device.js'
import { event } from '../../operation.js'
import { Id, ProjectScope, Timestamp } from '../../primitives.js'
import { Height } from '../lookups/height.js'
import { Position } from '../lookups/location.js'

/**
 * The position of a device was determined and stored. Published on `<subject>.<organization id>.<project id>` into the
 * queue of management (`streams.ts`), with the event's id as message id. Management discards it if no webhook of the project
 * receives positions.
 */
export const deviceLocationResolved = event({
  subject: 'location.v1.device.resolved',
  data: z.object({
    id: Id,
    ...ProjectScope,
    device_serial: DeviceSerial,
    ...Position,
    ...Height,
    confidence: z
      .number()
      .min(50)
      .max(99)
      .describe('What `uncertainty` was asked with, in percent: 50 to 99.'),
    fulfilled_with: z
      .string()
      .regex(/^[A-Z_]{1,32}$/)
      .describe(
        'What it was determined with: `WIFI`, `MCELL`, `SCELL`. A newer location service may say something else.',
      ),
    resolved_at: Timestamp,
  }),
})
