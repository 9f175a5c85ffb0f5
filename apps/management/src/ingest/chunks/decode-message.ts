import {
  CHUNK_HEADERS,
  ChunkMessage,
  chunkAddress,
  type ChunkAddress,
} from '@bearing/contracts/management/chunk-message'

/** What of a message is read. */
export interface ReadMessage {
  readonly subject: string
  readonly header: (name: string) => string | undefined
  readonly id: string
  readonly body: Uint8Array
}

/** A message with chunks, decoded. */
export interface DeviceMessage extends ChunkAddress, ChunkMessage {
  /** The chunks, one behind the other. */
  readonly body: Uint8Array
  readonly streamStartedAt: Date
  readonly sequence: number
  readonly receivedAt: Date
}

/** A message that can never be stored. Its text says why. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage'
}

/** A message of a device that its project does not know, where only known ones may send. */
export class UnknownDevice extends Error {
  override readonly name = 'UnknownDevice'
  override readonly message = 'the project does not know the device, and lets only known ones send'
}

/** A message of a new device of an organization that has as many devices as it may have. */
export class TooManyDevices extends Error {
  override readonly name = 'TooManyDevices'
  override readonly message =
    'the device is new, and the organization has as many devices as DEVICES_PER_ORGANIZATION allows'
}

/**
 * Decodes a message with chunks.
 *
 * @param place where and when it was stored first
 * @throws UnreadableMessage
 */
export function decodeMessage(
  message: ReadMessage,
  place: Pick<DeviceMessage, 'streamStartedAt' | 'sequence' | 'receivedAt'>,
): DeviceMessage {
  const address = chunkAddress(message.subject)
  if (!address) throw new UnreadableMessage('its subject names no device')
  const said = ChunkMessage.safeParse({
    id: message.id,
    lengths: message.header(CHUNK_HEADERS.lengths) ?? '',
    facts: {
      hardware_version: message.header(CHUNK_HEADERS.hardware_version),
      software_type: message.header(CHUNK_HEADERS.software_type),
      software_version: message.header(CHUNK_HEADERS.software_version),
    },
  })
  if (!said.success)
    throw new UnreadableMessage(
      `its headers are not right: ${said.error.issues.map(({ path, message: text }) => `${path.join('.')} ${text}`).join('; ')}`,
    )
  const total = said.data.lengths.reduce((sum, length) => sum + length, 0)
  if (total !== message.body.length)
    throw new UnreadableMessage(
      `it has ${String(message.body.length)} bytes and says that its chunks have ${String(total)}`,
    )
  const { streamStartedAt, sequence, receivedAt } = place
  return { ...address, ...said.data, body: message.body, streamStartedAt, sequence, receivedAt }
}
