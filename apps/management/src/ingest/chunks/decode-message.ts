import {
  CHUNK_HEADERS,
  ChunkMessage,
  chunkAddress,
  type ChunkAddress,
} from '@bearing/contracts/management/data/chunk-message'

/** The parts of a message that are decoded. */
export interface ReadMessage {
  readonly subject: string
  readonly header: (name: string) => string | undefined
  readonly id: string
  readonly body: Uint8Array
}

/** A message with chunks, decoded. */
export interface DeviceMessage extends ChunkAddress, ChunkMessage {
  /** The chunks, concatenated. */
  readonly body: Uint8Array
  /** The project key that it came with, by its id; undefined if another credential. */
  readonly credentialId?: string | undefined
  readonly streamStartedAt: Date
  readonly sequence: number
  readonly receivedAt: Date
}

/** A message that can never be stored. Its text is the reason. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage'
}

/** A message of an unknown device, whose project accepts only known devices. */
export class UnknownDevice extends Error {
  override readonly name = 'UnknownDevice'
  override readonly message = 'the device is unknown, and the project accepts only known devices'
}

/** A message of a new device, whose organization has as many devices as it may have. */
export class TooManyDevices extends Error {
  override readonly name = 'TooManyDevices'
  override readonly message =
    'the device is new, and the organization has as many devices as DEVICES_PER_ORGANIZATION allows'
}

/**
 * Decodes a message.
 *
 * @param origin its position in its stream, and when it was received
 * @throws UnreadableMessage
 */
export function decodeMessage(
  message: ReadMessage,
  origin: Pick<DeviceMessage, 'streamStartedAt' | 'sequence' | 'receivedAt'>,
): DeviceMessage {
  const address = chunkAddress(message.subject)
  if (!address) throw new UnreadableMessage('its subject contains no device')
  const headers = ChunkMessage.safeParse({
    id: message.id,
    lengths: message.header(CHUNK_HEADERS.lengths) ?? '',
    facts: {
      hardware_version: message.header(CHUNK_HEADERS.hardware_version),
      software_type: message.header(CHUNK_HEADERS.software_type),
      software_version: message.header(CHUNK_HEADERS.software_version),
    },
  })
  if (!headers.success)
    throw new UnreadableMessage(
      `its headers are invalid: ${headers.error.issues.map(({ path, message: text }) => `${path.join('.')} ${text}`).join('; ')}`,
    )
  const total = headers.data.lengths.reduce((sum, length) => sum + length, 0)
  if (total !== message.body.length)
    throw new UnreadableMessage(
      `it has ${String(message.body.length)} bytes, and its header says ${String(total)}`,
    )
  const { streamStartedAt, sequence, receivedAt } = origin
  const credentialId = message.header(CHUNK_HEADERS.credentialId)
  return {
    ...address,
    ...headers.data,
    body: message.body,
    credentialId,
    streamStartedAt,
    sequence,
    receivedAt,
  }
}
