import { OperationError } from '@bearing/contracts/errors'
import { headers as natsHeaders, type Msg } from '@nats-io/transport-node'
import { acknowledgementOf } from '../calls/acknowledgement.js'
import { remainingMs } from '../calls/call-context.js'
import type { Connection } from '../connection.js'
import { JETSTREAM } from '../permissions/inboxes.js'
import { ReplyInboxes } from '../calls/reply-inboxes.js'
import { RequestSender } from '../calls/request-sender.js'
import { traced } from '../calls/tracing.js'
import { untilOpen } from '../calls/until-open.js'

/** How long JetStream may take to store a message, in milliseconds. Nobody takes it while a cluster elects a leader of the stream. */
const TIMEOUT_MS = 5_000
/** So long before the caller stops waiting it is answered that the outcome is unknown, in milliseconds. */
const REPLY_MS = 500
/** Parts of a subject before its ids: `<service>.v1.<noun>.<verb>`. */
const SUBJECT_PARTS = 4
/** Room for the subject and all headers of a message, in bytes; the lengths of a thousand chunks are most of it. */
const HEADER_BYTES = 16_384

/** A message that is stored before it is acknowledged. */
export interface StoredMessage {
  readonly subject: string
  /** Within two minutes a message with the same id is not stored again. */
  readonly id: string
  readonly body: Uint8Array
  /** Values without line ends. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** W3C trace context of the request that stores it. */
  readonly traceparent?: string | undefined
}

/** Stores messages in the streams of JetStream that their subjects lead to. */
export class MessageStore {
  private readonly requests: RequestSender
  private endOfTurn: Promise<void> | undefined

  constructor(private readonly connection: Connection) {
    this.requests = new RequestSender(connection, new ReplyInboxes(connection), () => JETSTREAM, TIMEOUT_MS)
  }

  /**
   * Largest body of a message in bytes. A quarter of what NATS takes is kept free, because a reply that has such a body in
   * base64 is a third larger.
   */
  get maxBytes(): number {
    return Math.floor((this.connection.maxPayload * 3) / 4) - HEADER_BYTES
  }

  /**
   * Stores one message, and waits until JetStream says that it has: at most 5 s, and less where the caller does not wait that long.
   *
   * @returns its sequence in the stream; of a message that was stored before, that one's
   * @throws OperationError `service_unavailable` where that is not known: it may be stored all the same
   */
  store(message: StoredMessage): Promise<number> {
    // Without ids.
    const kind = message.subject.split('.', SUBJECT_PARTS).join('.')
    return traced(
      message.traceparent,
      () => ({ name: `store ${kind}`, kind: 'producer', attributes: { 'messaging.system': 'nats' } }),
      () => this.storeNow(message),
    )
  }

  private async storeNow({ subject, id, body, headers }: StoredMessage): Promise<number> {
    const sent = natsHeaders()
    sent.set('Nats-Msg-Id', id)
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value)
    await this.turn()
    let reply: Msg
    try {
      await untilOpen(this.connection, subject)
      const timeoutMs = Math.max(1, Math.min(TIMEOUT_MS, remainingMs() - REPLY_MS))
      reply = await this.requests.send(subject, body, sent, timeoutMs)
    } catch (cause) {
      throw notStored(cause)
    }
    return sequenceOf(reply)
  }

  /** Messages of one turn of the event loop leave together: one write to the connection, and not one for each. */
  private turn(): Promise<void> {
    this.endOfTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.endOfTurn = undefined
        resolve()
      })
    })
    return this.endOfTurn
  }
}

function sequenceOf(reply: Msg): number {
  const said = acknowledgementOf(reply)
  if (!said || !('sequence' in said))
    throw notStored(new Error(`JetStream answered: ${reply.string().slice(0, 500)}`))
  return said.sequence
}

function notStored(cause: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'It could not be stored at the moment. Send it again shortly.',
    { retry_after: 5 },
    { cause },
  )
}
