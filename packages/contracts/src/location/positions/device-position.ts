import { z } from 'zod'
import { DeviceScope, DeviceSerial } from '../../management/devices/device.js'
import { operation } from '../../operation.js'
import { PageRequest, Timestamp, pageOf } from '../../primitives.js'
import { Height } from '../lookups/height.js'
import { Position } from '../lookups/location.js'

/** Position of a device, determined for a request with its `device_id`. */
export const DevicePosition = z
  .object({
    ...Position,
    ...Height,
    confidence: z
      .number()
      .min(50)
      .max(99)
      .describe('What `uncertainty` was asked with, in percent: 50 to 99.'),
    fulfilledWith: z.enum(['WIFI', 'MCELL', 'SCELL']),
    fallback: z.boolean().describe("Whether the organization's fallback said it."),
    resolved_at: Timestamp.describe('When it was asked for.'),
  })
  .meta({ id: 'DevicePosition' })

export const showDevicePosition = operation({
  subject: 'location.v1.device-position.show',
  summary: 'Show the last position of a device',
  input: z.object(DeviceScope),
  output: DevicePosition,
  errors: ['position_not_found'],
  permission: 'device-data:read',
})

export const listDevicePositions = operation({
  subject: 'location.v1.device-position.list',
  summary: 'List positions of a device',
  description: 'The newest first. The list is empty if no position is stored.',
  input: z.object({
    ...DeviceScope,
    ...PageRequest,
    from: Timestamp.optional().describe('The first moment.'),
    to: Timestamp.optional().describe('The first moment that is too late.'),
  }),
  output: pageOf(DevicePosition),
  errors: [],
  permission: 'device-data:read',
})

export const deleteDevicePositions = operation({
  subject: 'location.v1.device-position.delete',
  summary: 'Delete all stored positions of a device',
  description:
    'The reply counts deleted and remaining positions; none remain. Later positions are stored again. Deleting the device does this too.',
  input: z.object(DeviceScope),
  output: z.object({
    device_serial: DeviceSerial,
    deleted_at: Timestamp,
    deleted: z.object({ positions: z.int().min(0) }),
    left: z.object({ positions: z.int().min(0) }).describe('Counted after the deletion: 0.'),
  }),
  errors: [],
  permission: 'device:delete',
  forwardedBy: ['management'],
  timeoutMs: 30_000,
})

export const eraseDevicePositions = operation({
  subject: 'location.v1.device-position.erase',
  summary: 'Erase the positions of a device that management deletes in the background',
  description: 'The audit event of management counts them.',
  input: z.object(DeviceScope),
  output: z.object({ deleted: z.int().min(0), left: z.int().min(0) }),
  errors: [],
  permission: 'internal',
  timeoutMs: 30_000,
})
