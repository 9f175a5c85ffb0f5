import { createHash } from 'node:crypto'
import {
  CHUNK_HEADERS,
  chunkSubject,
  messageId,
  type ChunkAddress,
} from '@bearing/contracts/management/data/chunk-message'
import type { WorkStream } from '@bearing/contracts/nats/streams'
import type { StoredMessage } from '@bearing/nats/message-store'

/** The chunks of one request of a device. */
export interface Sending extends ChunkAddress {
  readonly chunks: readonly Uint8Array[]
  readonly hardwareVersion: string | undefined
  readonly softwareType: string | undefined
  readonly softwareVersion: string | undefined
  readonly credentialId: string
  /** Identifies a request that the client may repeat. */
  readonly idempotencyKey: string | undefined
}

/**
 * Returns the message that stores a request.
 *
 * @param partition that stores it
 * @param newId returns a UUID of version 7
 */
export function messageOf(sending: Sending, partition: WorkStream, newId: () => string): StoredMessage {
  const { chunks, idempotencyKey } = sending
  const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  const lengths = chunks.map(({ length }) => length).join(',')
  return {
    subject: chunkSubject(sending, partition.subject),
    id: messageId(
      idempotencyKey === undefined ? newId() : repeatable(sending, idempotencyKey, lengths, body),
    ),
    body,
    headers: {
      [CHUNK_HEADERS.lengths]: lengths || undefined,
      [CHUNK_HEADERS.hardware_version]: sending.hardwareVersion,
      [CHUNK_HEADERS.software_type]: sending.softwareType,
      [CHUNK_HEADERS.software_version]: sending.softwareVersion,
      [CHUNK_HEADERS.credentialId]: sending.credentialId,
    },
  }
}

/** Returns the same UUID (version 8) for the same request. It depends on the content: a client may reuse its key. */
function repeatable({ projectId, serial }: Sending, key: string, lengths: string, body: Uint8Array): string {
  const hash = createHash('sha256').update([projectId, serial, key, lengths, ''].join('\n')).update(body)
  const bytes = hash.digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
