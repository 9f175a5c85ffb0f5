import { OperationError } from '@bearing/contracts/errors'
import { batchSubject, type Operation } from '@bearing/contracts/operation'
import { PermissionViolationError, type Msg } from '@nats-io/transport-node'
import { readAnswers, writeCalls, type BatchAnswer, type BatchCall } from './batch-message.js'
import type { Connection } from '../connection.js'
import { serviceOf, type ReplyInbox, type ReplyInboxes } from '../calls/reply-inboxes.js'
import { failureOf, isFailure, isNoResponders, unreadable } from '../calls/reply.js'
import {
  connectionLost,
  noAnswerInTime,
  tooLate,
  transportError,
  unavailable,
} from '../calls/transport-error.js'

/** A call on its way out. */
export interface OutgoingCall extends BatchCall {
  /** The body of its message; undefined: the input is the body. */
  readonly bytes?: Uint8Array | undefined
}

/** Largest body of a message that brings several calls, in bytes, unless NATS takes less; larger calls travel alone. */
const MAX_BYTES = 128 * 1024
/** Room for what goes with a call, beside its claims, in bytes. */
const HEAD_BYTES = 1_024
/**
 * Calls of a message, fewer than are taken (`MAX_BATCH_CALLS` in contracts): while one message is being worked on, the next
 * is being written. With more the two sides take turns, with fewer there are more messages: decision 41 has the numbers.
 */
export const MOST_SENT_TOGETHER = 16

interface Waiting {
  readonly call: OutgoingCall
  readonly resolve: (output: string) => void
  readonly reject: (error: unknown) => void
}

/** Calls that wait for the end of the turn, to travel together. */
interface Batch {
  readonly operation: Operation
  readonly calls: Waiting[]
  bytes: number
}

/** Calls that are under way together: those that were answered, or not in time, are gone from it. */
interface Sent {
  readonly subject: string
  readonly inbox: ReplyInbox
  readonly calls: Map<number, Waiting & { readonly timer: NodeJS.Timeout }>
}

/**
 * Sends the calls of an operation that are made in the same turn of the event loop as one message. A call that is alone
 * travels alone, as from any client of NATS, unless its input would have to be read for that; and so do all where nobody
 * listens for several: services of two versions may run side by side.
 */
export class BatchSender {
  /** The batch of each operation that is sent at the end of this turn. Operations are few, so no entry is removed. */
  private readonly waiting = new Map<string, Batch | undefined>()
  private readonly sent = new Set<Sent>()
  /** Subjects of operations whose calls may not travel together: NATS knows our user as an older version needs it. */
  private readonly alone = new Set<string>()

  /** @param sendAlone sends one call as a message of its own */
  constructor(
    private readonly connection: Connection,
    private readonly inboxes: ReplyInboxes,
    private readonly sendAlone: (subject: string, call: OutgoingCall) => Promise<string>,
  ) {
    // Either the calls under way or their replies are lost. Nobody knows which, and waiting would not help.
    connection.disconnected(() => {
      for (const sent of [...this.sent]) this.rejectAll(sent, unavailable(connectionLost(sent.subject)))
    })
    connection.waitsFor(() => this.sent.size)
    // Its list of users may be a newer one now.
    connection.reconnected(() => {
      this.alone.clear()
    })
    connection.refused((refusal) => {
      if (refusal instanceof PermissionViolationError) this.refused(refusal.subject)
    })
  }

  /**
   * Sends a call with the others of this turn.
   *
   * @returns the output, JSON
   * @throws OperationError as `NatsClient.call` does
   */
  send(operation: Operation, call: OutgoingCall): Promise<string> {
    const bytes = bytesOf(call)
    if (bytes > this.maxBytes || this.alone.has(operation.subject))
      return this.sendAlone(operation.subject, call)
    return new Promise((resolve, reject) => {
      this.batchFor(operation, bytes).calls.push({ call, resolve, reject })
    })
  }

  private get maxBytes(): number {
    return Math.min(MAX_BYTES, this.connection.maxPayload)
  }

  private batchFor(operation: Operation, bytes: number): Batch {
    const open = this.waiting.get(operation.subject)
    if (open && open.calls.length < MOST_SENT_TOGETHER && open.bytes + bytes <= this.maxBytes) {
      open.bytes += bytes
      return open
    }
    // A full one leaves at the end of the turn, as the others do.
    const batch: Batch = { operation, calls: [], bytes }
    this.waiting.set(operation.subject, batch)
    setImmediate(() => {
      if (this.waiting.get(operation.subject) === batch) this.waiting.set(operation.subject, undefined)
      this.sendBatch(batch)
    })
    return batch
  }

  private sendBatch({ operation, calls }: Batch): void {
    const [first] = calls
    if (calls.length === 1 && typeof first?.call.input === 'string') {
      this.sendAlone(operation.subject, first.call).then(first.resolve, first.reject)
      return
    }
    const sent = this.open(operation, calls)
    if (!sent) return
    try {
      const message = writeCalls(calls.map(({ call }) => call))
      this.connection.raw.publish(batchSubject(operation), message, { reply: sent.inbox.subject })
    } catch (error) {
      this.rejectAll(sent, transportError(error))
    }
  }

  /** Waits for the replies; undefined if that is impossible, after the calls have failed. */
  private open(operation: Operation, calls: readonly Waiting[]): Sent | undefined {
    try {
      const inbox = this.inboxes.open(serviceOf(operation.subject), {
        received: (reply) => {
          this.replied(sent, reply)
        },
        refused: (refusal) => {
          this.rejectAll(sent, transportError(refusal))
        },
      })
      const sent = this.note(operation.subject, inbox, calls)
      return sent
    } catch (error) {
      for (const { reject } of calls) reject(transportError(error))
      return undefined
    }
  }

  private note(subject: string, inbox: ReplyInbox, calls: readonly Waiting[]): Sent {
    const sent: Sent = { subject, inbox, calls: new Map() }
    for (const [index, waiting] of calls.entries()) {
      const timer = setTimeout(() => {
        this.settle(sent, index)?.reject(tooLate(noAnswerInTime(subject)))
      }, waiting.call.timeoutMs)
      sent.calls.set(index, { ...waiting, timer })
    }
    this.sent.add(sent)
    return sent
  }

  private replied(sent: Sent, message: Msg): void {
    if (isNoResponders(message)) {
      this.resend(sent)
      return
    }
    let answers: BatchAnswer[]
    try {
      if (isFailure(message)) throw failureOf(message.string())
      answers = readAnswers(message.data)
    } catch (error) {
      this.rejectAll(sent, error instanceof OperationError ? error : unreadable(error))
      return
    }
    for (const { index, text, isFailure: hasFailed } of answers) {
      const waiting = this.settle(sent, index)
      if (hasFailed) waiting?.reject(failureOf(text))
      else waiting?.resolve(text)
    }
  }

  /** Nobody has received them, so they may be sent once more. */
  private resend(sent: Sent): void {
    for (const index of sent.calls.keys()) {
      const waiting = this.settle(sent, index)
      if (waiting) this.sendAlone(sent.subject, waiting.call).then(waiting.resolve, waiting.reject)
    }
  }

  /** Nor were those delivered that NATS did not let through. */
  private refused(subject: string): void {
    for (const sent of [...this.sent])
      if (batchSubject(sent) === subject) {
        this.alone.add(sent.subject)
        this.resend(sent)
      }
  }

  /** Ends the wait of a call; undefined where it was over. */
  private settle(sent: Sent, index: number): Waiting | undefined {
    const waiting = sent.calls.get(index)
    if (!waiting) return undefined
    clearTimeout(waiting.timer)
    sent.calls.delete(index)
    if (sent.calls.size === 0) {
      this.sent.delete(sent)
      sent.inbox.close()
    }
    return waiting
  }

  private rejectAll(sent: Sent, error: unknown): void {
    for (const index of sent.calls.keys()) this.settle(sent, index)?.reject(error)
  }
}

function bytesOf({ input, claims = '' }: BatchCall): number {
  return (
    (typeof input === 'string' ? Buffer.byteLength(input) : input.json.length) + claims.length + HEAD_BYTES
  )
}
