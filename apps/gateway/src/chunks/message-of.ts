import { createHash } from 'node:crypto'
import {
  CHUNK_HEADERS,
  chunkSubject,
  messageId,
  type ChunkAddress,
} from '@bearing/contracts/management/chunk-message'
import type { StoredMessage } from '@bearing/nats/message-store'

/** What a device has sent in one request. */
export interface Sending extends ChunkAddress {
  readonly chunks: readonly Uint8Array[]
  readonly hardwareVersion: string | undefined
  readonly softwareType: string | undefined
  readonly softwareVersion: string | undefined
  readonly credentialId: string
  /** What the client names a request by that it may send again. */
  readonly idempotencyKey: string | undefined
}

/**
 * The message that a request is stored as.
 *
 * @param newId makes a UUID of version 7
 */
export function messageOf(sending: Sending, newId: () => string): StoredMessage {
  const { chunks, idempotencyKey } = sending
  const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  const lengths = chunks.map(({ length }) => length).join(',')
  return {
    subject: chunkSubject(sending),
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

/**
 * A UUID of version 8 that the same request has again. What is in it counts too: a key that a client uses for everything must
 * not make anything else of it the same.
 */
function repeatable({ projectId, serial }: Sending, key: string, lengths: string, body: Uint8Array): string {
  const hash = createHash('sha256').update([projectId, serial, key, lengths, ''].join('\n')).update(body)
  const bytes = hash.digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
