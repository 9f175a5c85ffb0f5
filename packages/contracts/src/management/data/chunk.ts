import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, PageRequest, Timestamp, pageOf } from '../../primitives.js'
import { DeviceFacts, DeviceScope, DeviceSerial } from '../devices/device.js'

/** Chunks that one request may hold: fewer than the places that an id has room for (see chunkId). */
export const MAX_CHUNKS = 1_000

/** Largest request with chunks, in bytes. NATS has to take it as one message, so its limit may be lower. */
export const MAX_CHUNKS_BYTES = 4 * 1024 * 1024

export const sendChunks = operation({
  subject: 'management.v1.chunk.send',
  summary: 'Send chunks of a device',
  description: `For devices, with a project key. The body is one chunk (\`application/octet-stream\`) or up to ${String(MAX_CHUNKS)} (\`multipart/mixed\`), also in base64 (\`Content-Encoding: base64\`). 202 says that they are stored on disk. A request that is repeated with the same \`Idempotency-Key\` is stored once.`,
  input: z.object({ device_serial: DeviceSerial, ...DeviceFacts }),
  output: z.object({ chunks: z.int().min(0) }),
  errors: ['project_key_required', 'malformed_chunks', 'length_required', 'device_not_known'],
  permission: 'device-data:send',
  stored: true,
  lenient: true,
})

/** A chunk, without what is in it. */
export const Chunk = z.object({ id: Id, received_at: Timestamp, size: z.int().min(0) }).meta({ id: 'Chunk' })

export const listChunks = operation({
  subject: 'management.v1.chunk.list',
  summary: 'List the chunks of a device, in the order in which it has sent them',
  input: z.object({ ...DeviceScope, ...PageRequest }),
  output: pageOf(Chunk),
  errors: ['device_not_found'],
  permission: 'device:read',
})

export const readChunk = operation({
  subject: 'management.v1.chunk.read',
  summary: 'Download a chunk as the device has sent it',
  description: 'Over HTTP the reply is the bytes themselves, as `application/octet-stream`.',
  input: z.object({ ...DeviceScope, chunk_id: Id }),
  output: z.object({ content: z.base64() }),
  errors: ['device_not_found', 'chunk_not_found'],
  permission: 'device-data:read',
})
