import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Id, PageRequest, Paging, ProjectScope, Timestamp, orNull } from '../../primitives.js'
import { Period, Step } from '../../counts/usage.js'
import { DEVICE_ORDERS, DeviceFilter } from './device-selection.js'
import { DeviceSampling } from './sampling.js'

/** Name that a device gives itself: 1–128 of A–Z, a–z, 0–9, "_" and "-". A token of a NATS subject, too. */
export const DeviceSerial = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, "_" and "-"')
  .meta({ id: 'DeviceSerial', example: 'DEVICE-0001' })

/** An empty value counts as not given. */
const NotSaid = z.literal('').transform(() => undefined)

const Version = z
  .string()
  .regex(/^[A-Za-z0-9_.+:-]{1,128}$/, 'must be 1 to 128 letters, digits, and "_", "-", ".", "+", ":"')
  .or(NotSaid)

/** Facts that a device sends of itself, apart from its serial number. Those that it leaves out, or empty, stay unchanged. */
export const DeviceFacts = {
  hardware_version: orNull(Version),
  software_type: orNull(Version),
  software_version: orNull(
    z
      .string()
      .regex(/^[\x20-\x7e]{1,128}$/, 'must be 1 to 128 printable characters')
      .or(NotSaid),
  ).describe('1–128 printable characters: versions of software are written in every way.'),
}

/** A device: known because it has sent something, or because somebody registered it. */
export const Device = z
  .object({
    id: Id,
    device_serial: DeviceSerial,
    hardware_version: z.string().nullable(),
    software_type: z.string().nullable(),
    software_version: z.string().nullable(),
    first_seen_at: Timestamp.nullable().describe('When its first and its latest data came; null: none yet.'),
    last_seen_at: Timestamp.nullable(),
    chunk_count: z
      .int()
      .min(0)
      .describe(
        'Chunks that it has sent so far, and their bytes, including those that retention has deleted.',
      ),
    chunk_bytes: z.int().min(0),
    registered_at: Timestamp.nullable().describe('When somebody registered it; null: nobody has.'),
    sampling: DeviceSampling.default({}).describe(
      'What its agent sends, where that differs from the data policy of its project.',
    ),
    nickname: z.string().nullable().default(null).describe('Name for people; null: none.'),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('Values of declared attributes, at most 4,096 bytes. In lists only with `with=attributes`.'),
  })
  .meta({ id: 'Device' })

/** Scope of an operation on a device. */
export const DeviceScope = { ...ProjectScope, device_serial: DeviceSerial }

/** The most items of a page with attributes. */
export const MAX_PER_PAGE_WITH_ATTRIBUTES = 1_000

/** Up to so many devices of a filter are counted. */
export const MAX_COUNTED = 10_000

export const listDevices = operation({
  subject: 'management.v1.device.list',
  summary: 'List the devices of a project',
  description:
    'In the order of serial numbers, or, with a filter of last seen or of a version, the last seen first. Read long lists with `cursor`; with a filter or an order, `page` reaches the first 10,000 devices. Filters can be combined where an index serves them: `q` with `attribute_is`; last seen with one version. Other combinations are refused.',
  input: z.object({
    ...ProjectScope,
    ...PageRequest,
    ...DeviceFilter,
    sort: z
      .enum(DEVICE_ORDERS)
      .optional()
      .describe(
        '`last_seen` has a precision of one minute; devices of one minute are in the order of serial numbers.',
      ),
    cursor: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe('`next` of the reply before, with the same filter and order.'),
    with: z
      .enum(['attributes'])
      .optional()
      .describe('`attributes`: the devices have their attributes, and a page at most 1,000 devices.'),
  }),
  output: z.object({
    data: z.array(Device),
    paging: Paging.extend({
      total_is_minimum: z
        .boolean()
        .optional()
        .describe(
          'Whether more than `total_count` devices match: with a filter or an order only 10,000 are counted.',
        ),
    }),
    next: z
      .string()
      .nullable()
      .default(null)
      .describe('The `cursor` of the next page; null after the last device.'),
  }),
  errors: ['project_not_found', 'attribute_not_found'],
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

/** The most chunks of a device that a chart counts: those received last. */
export const MAX_CHARTED_CHUNKS = 20_000

/** Chunks of a device. */
export const DeviceUsage = z
  .object({
    step: Step.describe('The length of a point. Days are in UTC.'),
    points: z
      .array(
        z.object({
          at: Timestamp.describe('Its start.'),
          chunks: z.object({ count: z.int().min(0), bytes: z.int().min(0) }),
        }),
      )
      .describe('Every point of the period, oldest first. The last one is in progress.'),
  })
  .meta({ id: 'DeviceUsage' })

export const showDeviceUsage = operation({
  subject: 'management.v1.device.show-usage',
  summary: 'Show the chunks of a device, by hour or day',
  description: `Counts chunks that are stored: of those that the retention has deleted there is no count. At most the last ${String(MAX_CHARTED_CHUNKS)} are counted.`,
  input: z.object({ ...DeviceScope, period: Period.default('7d') }),
  output: DeviceUsage,
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
    deleted: z
      .object({
        chunks: z.int().min(0),
        bytes: z.int().min(0),
        files: z.int().min(0),
        dead_letters: z.int().min(0),
        positions: z.int().min(0).describe('Of those that location has stored for it.'),
      })
      .describe('What was deleted; the bytes are those of the chunks.'),
    left: z
      .object({
        devices: z.int(),
        chunks: z.int(),
        files: z.int(),
        dead_letters: z.int(),
        positions: z.int(),
      })
      .describe('Counted after the deletion: all of them 0.'),
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
