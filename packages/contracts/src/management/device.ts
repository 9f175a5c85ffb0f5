import { z } from 'zod'
import { event, operation } from '../operation.js'
import { Id, PageRequest, ProjectScope, Timestamp, pageOf } from '../primitives.js'
import { DeviceSampling } from './sampling.js'

/** What a device calls itself: 1–128 of A–Z, a–z, 0–9, "_" and "-". A token of a NATS subject, too. */
export const DeviceSerial = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, "_" and "-"')
  .meta({ id: 'DeviceSerial', example: 'DEVICE-0001' })

/** What a device leaves empty it does not say. */
const NotSaid = z.literal('').transform(() => undefined)

const Version = z
  .string()
  .regex(/^[A-Za-z0-9_.+:-]{1,128}$/, 'must be 1 to 128 letters, digits, and "_", "-", ".", "+", ":"')
  .or(NotSaid)

/** What a device says of itself, apart from its serial number. What it leaves out, or empty, stays as it was. */
export const DeviceFacts = {
  hardware_version: Version.optional(),
  software_type: Version.optional(),
  /** 1–128 printable characters: versions of software are written in every way. */
  software_version: z
    .string()
    .regex(/^[\x20-\x7e]{1,128}$/, 'must be 1 to 128 printable characters')
    .or(NotSaid)
    .optional(),
}

/** A device: known because it has sent something, or because somebody registered it. */
export const Device = z
  .object({
    id: Id,
    device_serial: DeviceSerial,
    hardware_version: z.string().nullable(),
    software_type: z.string().nullable(),
    software_version: z.string().nullable(),
    /** When its first and its latest data came; null: none yet. */
    first_seen_at: Timestamp.nullable(),
    last_seen_at: Timestamp.nullable(),
    /** Chunks that it has sent so far, and their bytes, including those that retention has deleted. */
    chunk_count: z.int().min(0),
    chunk_bytes: z.int().min(0),
    /** When somebody registered it; null: nobody has. */
    registered_at: Timestamp.nullable(),
    /** What its agent sends, where that differs from the data policy of its project. */
    sampling: DeviceSampling.default({}),
  })
  .meta({ id: 'Device' })

/** Scope of an operation on a device. */
export const DeviceScope = { ...ProjectScope, device_serial: DeviceSerial }

export const listDevices = operation({
  subject: 'management.v1.device.list',
  summary: 'List the devices of a project, in the order of serial numbers',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(Device),
  errors: ['project_not_found'],
  permission: 'device:read',
})

export const showDevice = operation({
  subject: 'management.v1.device.show',
  summary: 'Show a device',
  input: z.object(DeviceScope),
  output: Device,
  errors: ['device_not_found'],
  permission: 'device:read',
})

export const registerDevice = operation({
  subject: 'management.v1.device.register',
  summary: 'Register a device before it has sent anything',
  description:
    'Needed only where the data policy of the project lets known devices alone send. Doing it again changes nothing but what is said of the device.',
  input: z.object({ ...DeviceScope, ...DeviceFacts }),
  output: Device,
  errors: ['project_not_found', 'quota_exceeded'],
  permission: 'device:register',
})

export const deleteDevice = operation({
  subject: 'management.v1.device.delete',
  summary: 'Delete a device and everything that it has sent, and where it was',
  description:
    'What it has sent and is still on its way is deleted too. The reply counts what was deleted, and what is left, which is nothing. Where it sends again later, it is a new device.',
  input: z.object(DeviceScope),
  output: z.object({
    device_serial: DeviceSerial,
    deleted_at: Timestamp,
    /** What was deleted; the bytes are those of the chunks. */
    deleted: z.object({
      chunks: z.int().min(0),
      bytes: z.int().min(0),
      files: z.int().min(0),
      dead_letters: z.int().min(0),
      /** Of those that location has stored for it. */
      positions: z.int().min(0),
    }),
    /** Counted after the deletion: all of them 0. */
    left: z.object({
      devices: z.int(),
      chunks: z.int(),
      files: z.int(),
      dead_letters: z.int(),
      positions: z.int(),
    }),
  }),
  errors: ['device_not_found'],
  permission: 'device:delete',
  timeoutMs: 60_000,
})

export const isDeviceKnown = operation({
  subject: 'management.v1.device.known',
  summary: 'Check for the gateway whether a device is known, if only known ones may send',
  input: z.object({ project_id: Id, device_serial: DeviceSerial }),
  output: z.object({ known: z.boolean() }),
  errors: [],
  permission: 'internal',
})

/** A device was registered or deleted: whether it is known may be something else now. */
export const deviceKnownChanged = event({
  subject: 'management.v1.device-known.changed',
  data: z.object({ id: Id, project_id: Id, device_serial: DeviceSerial }),
})
