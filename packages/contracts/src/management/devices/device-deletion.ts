import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, ProjectScope, Timestamp } from '../../primitives.js'
import { DeviceFilter } from './device-selection.js'
import { Device } from './device.js'

/** Devices that a preview shows. */
export const PREVIEWED_DEVICES = 20

/** The deletion of many devices, which runs in the background. */
export const DeviceDeletion = z
  .object({
    id: Id,
    state: z.enum(['running', 'done', 'stopped']),
    /** Devices that matched when it began. */
    total: z.int().min(0),
    /** Devices that were deleted so far. Devices that no longer match are kept, so it can end below `total`. */
    deleted: z.int().min(0),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'DeviceDeletion' })

export const previewDeviceDeletion = operation({
  subject: 'management.v1.device-deletion.preview',
  summary: 'Preview the deletion of all devices that match a filter',
  description:
    'The reply has the number of devices, the first 20, and a token for the deletion with the same filter. The token is valid for an hour. `silent_for` is fixed at the time of the preview.',
  input: z.object({ ...ProjectScope, ...DeviceFilter }),
  output: z.object({
    count: z.int().min(0),
    devices: z.array(Device),
    /** Send it with the same filter to delete the devices. */
    token: z.string(),
  }),
  errors: ['project_not_found', 'attribute_not_found'],
  permission: 'device:delete',
  timeoutMs: 15_000,
})

export const deleteDevices = operation({
  subject: 'management.v1.device-deletion.begin',
  summary: 'Delete all devices that match a filter, with all their data',
  description:
    'Requires the token of a preview of the same filter. If more devices match than the preview counted, nothing is deleted. The deletion runs in the background; a device that no longer matches when its turn comes is kept.',
  input: z.object({ ...ProjectScope, ...DeviceFilter, token: z.string().min(1).max(512) }),
  output: DeviceDeletion,
  errors: ['project_not_found', 'attribute_not_found', 'selection_changed'],
  permission: 'device:delete',
  timeoutMs: 15_000,
})

const DeletionScope = { ...ProjectScope, deletion_id: Id }

export const showDeviceDeletion = operation({
  subject: 'management.v1.device-deletion.show',
  summary: 'Show the progress of a deletion of many devices',
  input: z.object(DeletionScope),
  output: DeviceDeletion,
  errors: ['deletion_not_found'],
  permission: 'device:read',
})

export const stopDeviceDeletion = operation({
  subject: 'management.v1.device-deletion.stop',
  summary: 'Stop a deletion of many devices',
  description: 'Devices that were deleted stay deleted. Stopping it again changes nothing.',
  input: z.object(DeletionScope),
  output: DeviceDeletion,
  errors: ['deletion_not_found'],
  permission: 'device:delete',
})
