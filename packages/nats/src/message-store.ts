import { OperationError } from '@bearing/contracts/errors'
import { jetstream, type JetStreamClient } from '@nats-io/jetstream'
import { headers as natsHeaders } from '@nats-io/transport-node'
import type { Connection } from './connection.js'

/** How long JetStream may take to store a message, in milliseconds. */
const TIMEOUT_MS = 5_000
/** Room for the subject and all headers of a message, in bytes; the lengths of a thousand chunks are most of it. */
const HEADER_BYTES = 16_384

/** A message that is stored before anybody is told so. */
export interface StoredMessage {
  readonly subject: string
  /** Within two minutes a message with the same id is not stored again. */
  readonly id: string
  readonly body: Uint8Array
  /** Values without line ends. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Stores messages in the streams of JetStream that their subjects lead to. */
export class MessageStore {
  private readonly client: JetStreamClient

  constructor(private readonly connection: Connection) {
    this.client = jetstream(connection.raw, { timeout: TIMEOUT_MS })
  }

  /**
   * Largest body of a message in bytes. A quarter of what NATS takes is kept free, because a reply that has such a body in
   * base64 is a third larger.
   */
  get maxBytes(): number {
    return Math.floor((this.connection.maxPayload * 3) / 4) - HEADER_BYTES
  }

  /**
   * Stores one message, and waits until JetStream says that it has.
   *
   * @throws OperationError `service_unavailable` where that is not known: it may be stored all the same
   */
  async store({ subject, id, body, headers }: StoredMessage): Promise<void> {
    if (!this.connection.isUp) throw notStored()
    const sent = natsHeaders()
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value)
    try {
      await this.client.publish(subject, body, { msgID: id, headers: sent })
    } catch (cause) {
      throw notStored(cause)
    }
  }
}

function notStored(cause?: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'It could not be stored at the moment. Send it again shortly.',
    { retry_after: 5 },
    { cause },
  )
}
