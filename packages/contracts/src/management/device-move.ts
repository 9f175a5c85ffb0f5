import { z } from 'zod'
import { operation } from '../operation.js'
import { Slug, Timestamp } from '../primitives.js'
import { Device, DeviceScope } from './device.js'

export const moveDevice = operation({
  subject: 'management.v1.device.move',
  summary: 'Move a device with all its data to another project of the organization',
  description:
    'Requires `device:delete` in its project and `device:register` in the other one. Chunks, files and attributes move with it in one step; stored positions follow within seconds. The other project must have declared the attributes of the device with the same types. Data that is sent with the key of the former project later creates the device there again.',
  input: z.object({
    ...DeviceScope,
    /** The slug of the other project. */
    to_project: Slug,
  }),
  output: Device.extend({
    moved_at: Timestamp,
    /** Whether positions have followed already. */
    positions_moved: z.boolean(),
  }),
  errors: [
    'device_not_found',
    'project_not_found',
    'device_exists',
    'attribute_conflict',
    'storage_quota_exceeded',
  ],
  permission: 'device:delete',
  timeoutMs: 60_000,
})
