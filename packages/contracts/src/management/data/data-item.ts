import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, ProjectScope, Timestamp } from '../../primitives.js'
import { DeviceSerial } from '../devices/device.js'
import { MAX_INLINE_BYTES } from './device-data.js'

/** The kinds of {@link DataItem}. */
export const DATA_KINDS = ['chunk', 'file'] as const
const KIND = DATA_KINDS.join('|')

const Cursor = z.string().max(128)
const Common = {
  cursor: z.string().describe('Says that everything up to this item has been read.'),
  id: Id,
}

/** A chunk or a file of a project, in the order in which they were stored. A newer version may add fields and kinds. */
export const DataItem = z
  .discriminatedUnion('kind', [
    z.object({
      ...Common,
      kind: z.literal('chunk'),
      device_serial: DeviceSerial,
      at: Timestamp.describe('When the gateway had accepted it.'),
      size: z.int().min(0).describe('Bytes.'),
      data: z
        .base64()
        .nullable()
        .describe(
          `The chunk. Null: it has more than ${String(MAX_INLINE_BYTES)} bytes, or \`payloads\` is \`none\`; \`readChunk\` returns it.`,
        ),
    }),
    z.object({
      ...Common,
      kind: z.literal('file'),
      device_serial: DeviceSerial.nullable().describe('Null: of no device.'),
      at: Timestamp.describe('When it was committed.'),
      size: z.int().min(0).describe('Bytes.'),
      file_kind: z.string().describe('As `kind` of files: `coredump`, `symbols` and so on.'),
      name: z.string().nullable(),
      sha256: z.string().nullable().describe('Of the content, in hexadecimal.'),
    }),
  ])
  .meta({ id: 'DataItem' })
export type DataItem = z.output<typeof DataItem>

export const readData = operation({
  subject: 'management.v1.device-data.read',
  summary: 'Read what all devices of a project have sent',
  description:
    'Chunks and files, each on its own line, in the order in which they were stored: the order of each device, across all devices. The reply ends when everything that is stored has been read. Continue with the `cursor` of the last line in `after`: restarts, upgrades and retention do not change cursors, and nothing is skipped or repeated. Data that was deleted before it was read is left out.',
  input: z.object({
    ...ProjectScope,
    after: Cursor.optional().describe(
      'The `cursor` of the last item that was read (default: from the oldest).',
    ),
    since: Timestamp.optional().describe('Leave out data that was received before.'),
    kinds: z
      .string()
      .regex(new RegExp(`^(${KIND})(,(${KIND}))*$`))
      .optional()
      .describe('`chunk`, `file` or both, with a comma (default: both).'),
    payloads: z.enum(['inline', 'none']).default('inline').describe('Whether chunks come with their bytes.'),
    // A connection may be silent for a minute.
    wait: z
      .string()
      .regex(/^(?:[0-9]|[12][0-9]|30)s$/)
      .optional()
      .describe(
        'Where there is nothing: how long to wait for the first item, as `30s` at most (default: `0s`).',
      ),
    cursor: Cursor.optional().describe(
      'The `next` of the previous part of a reply; over HTTP the gateway sends it.',
    ),
  }),
  output: z.object({ data: z.array(DataItem), next: z.string().nullable() }),
  errors: [],
  permission: 'device-data:read',
  timeoutMs: 15_000,
})
