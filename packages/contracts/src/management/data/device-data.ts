import { z } from 'zod'
import { Height } from '../../location/lookups/height.js'
import { Position } from '../../location/lookups/location.js'
import { Id, ProjectScope, Timestamp } from '../../primitives.js'
import { DeviceSerial } from '../devices/device.js'

/** Prefix of the subjects of the stream of device data. */
export const DEVICE_DATA_SUBJECT = 'data.v1'

/** Larger chunks are not in the stream themselves, in bytes: `management.v1.chunk.read` returns them. */
export const MAX_INLINE_BYTES = 65_536

/** The kinds of what is in the stream, as the last part of its subject. */
export const DEVICE_DATA_KINDS = ['chunk', 'file', 'position', 'first-seen', 'deleted'] as const
export type DeviceDataKind = (typeof DEVICE_DATA_KINDS)[number]

const Common = { id: Id, ...ProjectScope, device_serial: DeviceSerial, at: Timestamp }

/**
 * A message of the stream of device data, as JSON. The header `Nats-Msg-Id` is its `id`: it may come more than once. A newer
 * version may add fields and kinds.
 */
export const DeviceData = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('chunk'),
    ...Common,
    at: Timestamp.describe('When the gateway had accepted it.'),
    size: z.int().min(1).describe('Bytes of the chunk.'),
    data: z
      .base64()
      .nullable()
      .describe(`The chunk; null if it has more than ${String(MAX_INLINE_BYTES)} bytes.`),
    credential_id: Id.nullable().describe('The project key that it came with; null: another credential.'),
  }),
  z.object({
    kind: z.literal('file'),
    ...Common,
    file: z.object({
      id: Id,
      kind: z.string(),
      size: z.int().min(0).describe('Bytes.'),
      sha256: z.string().describe('Of the content, in hexadecimal.'),
    }),
    credential_id: Id.nullable().describe('The credential that it was committed with.'),
  }),
  z.object({
    kind: z.literal('position'),
    ...Common,
    position: z.object({
      ...Position,
      ...Height,
      confidence: z.number().describe('Of `uncertainty`, in percent.'),
      fulfilled_with: z.string(),
    }),
  }),
  z.object({
    kind: z.literal('first-seen'),
    ...Common,
    device: z.object({
      id: Id,
      hardware_version: z.string().nullable(),
      software_type: z.string().nullable(),
      software_version: z.string().nullable(),
    }),
  }),
  z.object({ kind: z.literal('deleted'), ...Common }),
])
export type DeviceData = z.output<typeof DeviceData>

/** Scope of the data: everything of a device, a project or an organization, as a pattern of NATS. */
export interface DeviceDataScope {
  readonly organization_id?: string
  readonly project_id?: string
  readonly device_serial?: string
  readonly kind?: DeviceDataKind
}

/**
 * Returns the subject of a message of the stream, `data.v1.<organization id>.<project id>.<device serial>.<kind>`, or a pattern
 * of NATS with `*` for each part that is not given.
 */
export function deviceDataSubject(scope: DeviceDataScope): string {
  const { organization_id = '*', project_id = '*', device_serial = '*', kind = '*' } = scope
  return [DEVICE_DATA_SUBJECT, organization_id, project_id, device_serial, kind].join('.')
}
