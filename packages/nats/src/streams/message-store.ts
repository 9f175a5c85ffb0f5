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
import { groupsOfBundles, writeBundle } from './bundle.js'
import type { StoredMessage } from './stored-message.js'

export type { StoredMessage } from './stored-message.js'

/** Time limit for JetStream to store a message, in milliseconds. No server takes it while a cluster elects a leader of the stream. */
const TIMEOUT_MS = 5_000
/** Time before the caller stops waiting at which it is answered that the outcome is unknown, in milliseconds. */
const REPLY_MS = 500
/** Parts of a subject before its ids: `<service>.v1.<noun>.<verb>`. */
const SUBJECT_PARTS = 4
/** Room for the subject and all headers of a message, in bytes; the lengths of a thousand chunks are most of it. */
const HEADER_BYTES = 16_384

/** A message of this turn of the event loop, until it is stored. */
interface Waiting {
  readonly message: StoredMessage
  /** Time that its caller waits from now on, in milliseconds. */
  readonly remainingMs: number
  readonly stored: (sequence: number) => void
  readonly failed: (error: unknown) => void
}

/** Stores messages in the streams of JetStream that their subjects lead to. */
export class MessageStore {
  private readonly requests: RequestSender
  private waiting: Waiting[] = []

  /**
   * @param bundles whether messages of one turn of the event loop are stored as one message, if their subjects differ in the last part
   *   only. They have one sequence then. A `WorkQueue` hands them out one by one; nothing else reads them.
   */
  constructor(
    private readonly connection: Connection,
    private readonly bundles = false,
  ) {
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

  /** Messages of one turn of the event loop leave together: one write to the connection, and not one for each. */
  private storeNow(message: StoredMessage): Promise<number> {
    return new Promise((stored, failed) => {
      if (this.waiting.length === 0)
        setImmediate(() => {
          this.endTurn()
        })
      this.waiting.push({ message, remainingMs: remainingMs(), stored, failed })
    })
  }

  private endTurn(): void {
    const waiting = this.waiting
    this.waiting = []
    for (const group of this.bundles ? groupsOfBundles(waiting) : waiting.map((one) => [one]))
      void this.send(group)
  }

  private async send(group: readonly Waiting[]): Promise<void> {
    const messages = group.map(({ message }) => message)
    const [first] = messages
    if (!first) throw new Error('unreachable: no group is empty')
    const message = messages.length === 1 ? first : writeBundle(messages)
    try {
      const sequence = await this.publish(message, Math.min(...group.map((one) => one.remainingMs)))
      for (const { stored } of group) stored(sequence)
    } catch (error) {
      for (const { failed } of group) failed(error)
    }
  }

  private async publish(
    { subject, id, body, headers }: StoredMessage,
    callerWaitsMs: number,
  ): Promise<number> {
    const sent = natsHeaders()
    sent.set('Nats-Msg-Id', id)
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value)
    let reply: Msg
    try {
      const leftMs = callerWaitsMs - (await untilOpen(this.connection, subject))
      reply = await this.requests.send(
        subject,
        body,
        sent,
        Math.max(1, Math.min(TIMEOUT_MS, leftMs - REPLY_MS)),
      )
    } catch (cause) {
      throw notStored(cause)
    }
    return sequenceOf(reply)
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
