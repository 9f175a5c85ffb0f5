import { z } from 'zod'
import { operation } from '../../operation.js'
import { Name, Nothing, PageRequest, ProjectScope, Timestamp, pageOf } from '../../primitives.js'
import { AttributeName } from './device-selection.js'
import { Device, DeviceScope, DeviceSerial } from './device.js'

export { AttributeName }

/** The most attributes that a project can declare. */
export const MAX_ATTRIBUTES = 64
/** The longest string value, in characters. */
export const MAX_ATTRIBUTE_LENGTH = 256
/** The most bytes of all attributes of a device, as JSON. */
export const MAX_ATTRIBUTES_BYTES = 4_096
/** The most devices of one import request. */
export const MAX_IMPORTED_DEVICES = 500

export const ATTRIBUTE_TYPES = ['string', 'number', 'boolean', 'time'] as const
/** Type of the values of an attribute. `time` is RFC 3339, stored in UTC. */
export const AttributeType = z.enum(ATTRIBUTE_TYPES).meta({ id: 'AttributeType' })
export type AttributeType = z.infer<typeof AttributeType>

/** A value: a string of 1–256 characters, a finite number, a boolean. A time is a string. */
export const AttributeValue = z.union([z.string().min(1).max(MAX_ATTRIBUTE_LENGTH), z.number(), z.boolean()])
export type AttributeValue = z.infer<typeof AttributeValue>

/** An attribute that devices of a project can have. */
export const DeclaredAttribute = z
  .object({ name: AttributeName, type: AttributeType, created_at: Timestamp })
  .meta({ id: 'DeclaredAttribute' })

const AttributeScope = { ...ProjectScope, attribute: AttributeName }

export const listAttributes = operation({
  subject: 'management.v1.device-attribute.list',
  summary: 'List the attributes that a project has declared for its devices',
  description: 'In the order of names; at most 64.',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(DeclaredAttribute),
  errors: ['project_not_found'],
  permission: 'device:read',
})

export const declareAttribute = operation({
  subject: 'management.v1.device-attribute.declare',
  summary: 'Declare an attribute for the devices of a project',
  description:
    'Declaring it again with the same type changes nothing. To change the type, delete the attribute first. A project can declare 64.',
  input: z.object({ ...AttributeScope, type: AttributeType }),
  output: DeclaredAttribute,
  errors: ['project_not_found', 'attribute_conflict', 'quota_exceeded'],
  permission: 'device:change',
})

export const deleteAttribute = operation({
  subject: 'management.v1.device-attribute.delete',
  summary: 'Delete an attribute and its values from all devices of a project',
  description: 'The values are invisible immediately and are deleted in the background.',
  input: z.object(AttributeScope),
  output: Nothing,
  errors: ['attribute_not_found'],
  permission: 'device:change',
})

/** Changes of a device: a missing field changes nothing, null removes the value. */
const Changes = {
  nickname: Name.nullish(),
  attributes: z
    .record(AttributeName, AttributeValue.nullable())
    .refine((values) => Object.keys(values).length <= MAX_ATTRIBUTES, 'must have at most 64 members')
    .optional()
    .describe('By name, at most 64.'),
}

export const changeDevice = operation({
  subject: 'management.v1.device.change',
  summary: 'Set the nickname and attributes of a device',
  description: 'Fields and attributes that are missing do not change; null removes a value.',
  input: z.object({ ...DeviceScope, ...Changes }),
  output: Device,
  errors: ['device_not_found', 'attribute_not_found'],
  permission: 'device:change',
})

/** Result of an import for one device. */
export const ImportOutcome = z.object({
  device_serial: z.string(),
  outcome: z
    .enum(['created', 'changed', 'unchanged', 'failed'])
    .describe('`failed`: see `error`; nothing changes.'),
  changes: z
    .array(z.string())
    .describe('The fields that change: `nickname`, and names of attributes. At most 65.'),
  error: z.string().optional(),
})

export const importDevices = operation({
  subject: 'management.v1.device.import',
  summary: 'Register devices, and set their nicknames and attributes, up to 500 in a request',
  description:
    'The result has one outcome for each device, in the order of the request; a device that fails does not affect the others. Unknown devices are registered. A repeated request changes nothing. With `dry_run`, nothing changes and the outcomes say what would.',
  input: z.object({
    ...ProjectScope,
    dry_run: z.boolean().default(false),
    devices: z
      .array(
        z.object({
          device_serial: DeviceSerial,
          nickname: z.string().max(1_024).nullish(),
          attributes: z.record(z.string().max(128), AttributeValue.nullable()).optional(),
        }),
      )
      .min(1)
      .max(MAX_IMPORTED_DEVICES),
  }),
  output: z.object({ data: z.array(ImportOutcome) }),
  errors: ['project_not_found'],
  permission: 'device:register',
  timeoutMs: 20_000,
})
