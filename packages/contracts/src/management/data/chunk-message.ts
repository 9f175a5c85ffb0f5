import { z } from 'zod'
import { Id } from '../../primitives.js'
import { sendChunks } from './chunk.js'
import { DeviceFacts, DeviceSerial } from '../devices/device.js'

/**
 * Headers of a message with chunks. Its body is the chunks one behind the other; what the device has said of itself stands in
 * headers too, and the message id (`Nats-Msg-Id`) is what a message that comes twice is known by.
 */
export const CHUNK_HEADERS = {
  /** Lengths of the chunks in bytes, comma separated; empty: the device has sent none, and was seen. */
  lengths: 'Bearing-Chunk-Lengths',
  hardware_version: 'Bearing-Hardware-Version',
  software_type: 'Bearing-Software-Type',
  software_version: 'Bearing-Software-Version',
  /** The project key that the request came with, by its id. */
  credentialId: 'Bearing-Credential-Id',
} as const

/** Places for chunks in a message: the id of a message ends in three hexadecimal zeros, and its chunks count from there. */
const PLACES = 0x1000

/** Organization, project and device of a message. */
export interface ChunkAddress {
  readonly organizationId: string
  readonly projectId: string
  readonly serial: string
}

/**
 * The subject of a message: NATS lets the gateway alone publish there, so what it says is so.
 *
 * @param prefix the subject of the partition (default: the first one's)
 */
export function chunkSubject(
  { organizationId, projectId, serial }: ChunkAddress,
  prefix: string = sendChunks.subject,
): string {
  return [prefix, organizationId, projectId, serial].join('.')
}

const Address = z.tuple([Id, Id, DeviceSerial])

const PREFIX_TOKENS = sendChunks.subject.split('.').length

/** Returns the subject of a message in another stream. */
export function withPrefix(subject: string, prefix: string): string {
  return [prefix, ...subject.split('.').slice(PREFIX_TOKENS)].join('.')
}

/** Returns the scope of a message, by its subject in any partition; undefined if that is no subject of chunks. */
export function chunkAddress(subject: string): ChunkAddress | undefined {
  const parts = subject.split('.')
  const address = Address.safeParse(parts.slice(-3))
  if (parts.length !== PREFIX_TOKENS + 3 || !address.success) return undefined
  const [organizationId, projectId, serial] = address.data
  return { organizationId, projectId, serial }
}

/** Makes the id of a message out of a random or hashed UUID: the last three digits are for its chunks. */
export function messageId(uuid: string): string {
  return `${uuid.slice(0, -3)}000`
}

/** The id of a chunk: the same however often its message comes. */
export function chunkId(message: string, place: number): string {
  if (place < 0 || place >= PLACES) throw new RangeError(`there is no place ${String(place)} in a message`)
  return message.slice(0, -3) + place.toString(16).padStart(3, '0')
}

/** Description of the chunks in a message. */
export const ChunkMessage = z.object({
  id: Id.refine((id) => id.endsWith('000'), 'must end in three zeros'),
  lengths: z
    .string()
    .regex(/^(?:\d{1,8}(?:,\d{1,8})*)?$/)
    .transform((text) => (text === '' ? [] : text.split(',').map(Number)))
    .pipe(z.array(z.int().min(1)).max(PLACES)),
  facts: z.object(DeviceFacts),
})
export type ChunkMessage = z.output<typeof ChunkMessage>
