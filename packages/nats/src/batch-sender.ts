import { OperationError } from '@bearing/contracts/errors'
import { fromFailure } from '@bearing/contracts/failure'
import { batchSubject, type Operation } from '@bearing/contracts/operation'
import { PermissionViolationError, type Msg } from '@nats-io/transport-node'
import { z } from 'zod'
import type { Connection } from './connection.js'
import { InFlight } from './in-flight.js'
import { serviceOf, type ReplyInbox, type ReplyInboxes } from './reply-inboxes.js'
import { isNoResponders, read } from './reply.js'
import { tooLate, transportError, unavailable } from './transport-error.js'

/** A call on its way out. */
export interface OutgoingCall {
  /** JSON. */
  readonly input: string
  /** What is the body then; undefined: the input is. */
  readonly bytes?: Uint8Array | undefined
  readonly timeoutMs: number
  readonly claims: string | undefined
  readonly requestId: string | undefined
  readonly clientAddress: string | undefined
  readonly traceparent: string | undefined
}

/** Largest body of a message that brings several calls, in characters, claims counted for each; larger calls travel alone. */
const MAX_CHARACTERS = 128 * 1024
/**
 * Calls of a message, fewer than are taken (`MAX_BATCH_CALLS` in contracts): while one message is being worked on, the next
 * is being written. With 64 the two sides took turns: 7,000 look-ups a second; with 4 to 16 they were 8,000 to 8,800.
 */
export const MOST_SENT_TOGETHER = 8
/** See `batchSubject` in contracts. */
const Answers = z.object({
  answers: z.array(z.tuple([z.int().min(0), z.unknown()]).rest(z.unknown())),
})

interface Waiting {
  readonly call: OutgoingCall
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Calls that wait for the end of the turn, to travel together. */
interface Batch {
  readonly operation: Operation
  readonly calls: Waiting[]
  characters: number
}

/** Calls that are under way together: those that were answered, or not in time, are gone from it. */
interface Sent {
  readonly subject: string
  readonly inbox: ReplyInbox
  readonly calls: Map<number, Waiting & { readonly timer: NodeJS.Timeout }>
  /** Of what is under way. */
  token: string
}

/**
 * Sends the calls of an operation that are made in the same turn of the event loop as one message. A call that is alone
 * travels alone, as from any client of NATS; and so do all where nobody listens for several: services of two versions may
 * run side by side.
 */
export class BatchSender {
  /** Of each operation, what leaves at the end of this turn: there are only so many, and none is taken away. */
  private readonly waiting = new Map<string, Batch | undefined>()
  private readonly sent = new InFlight<Sent>()
  /** Subjects of operations whose calls may not travel together: NATS knows our user as an older version needs it. */
  private readonly alone = new Set<string>()

  /** @param sendAlone sends one call as a message of its own */
  constructor(
    private readonly connection: Connection,
    private readonly inboxes: ReplyInboxes,
    private readonly sendAlone: (subject: string, call: OutgoingCall) => Promise<unknown>,
  ) {
    // What was under way is lost, or its answer is: that cannot be told, and waiting would not help.
    connection.disconnected(() => {
      for (const sent of this.sent.values()) this.rejectAll(sent, unavailable())
    })
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
   * @returns the output
   * @throws OperationError as `NatsClient.call` does
   */
  send(operation: Operation, call: OutgoingCall): Promise<unknown> {
    if (call.input.length > MAX_CHARACTERS || this.alone.has(operation.subject))
      return this.sendAlone(operation.subject, call)
    return new Promise((resolve, reject) => {
      const characters = call.input.length + (call.claims?.length ?? 0)
      this.batchFor(operation, characters).calls.push({ call, resolve, reject })
    })
  }

  private batchFor(operation: Operation, characters: number): Batch {
    const open = this.waiting.get(operation.subject)
    if (open && open.calls.length < MOST_SENT_TOGETHER && open.characters + characters <= MAX_CHARACTERS) {
      open.characters += characters
      return open
    }
    // A full one leaves at the end of the turn, as the others do.
    const batch: Batch = { operation, calls: [], characters }
    this.waiting.set(operation.subject, batch)
    setImmediate(() => {
      if (this.waiting.get(operation.subject) === batch) this.waiting.set(operation.subject, undefined)
      this.sendBatch(batch)
    })
    return batch
  }

  private sendBatch({ operation, calls }: Batch): void {
    const [first] = calls
    if (calls.length === 1 && first) {
      this.sendAlone(operation.subject, first.call).then(first.resolve, first.reject)
      return
    }
    try {
      const inbox = this.inboxes.open(serviceOf(operation.subject), {
        heard: (reply) => {
          this.heard(sent, reply)
        },
        refused: (refusal) => {
          this.rejectAll(sent, transportError(refusal))
        },
      })
      const sent = this.note(operation.subject, inbox, calls)
      this.connection.raw.publish(batchSubject(operation), bodyOf(calls), { reply: inbox.subject })
    } catch (error) {
      for (const { reject } of calls) reject(transportError(error))
    }
  }

  private note(subject: string, inbox: ReplyInbox, calls: readonly Waiting[]): Sent {
    const sent: Sent = { subject, inbox, calls: new Map(), token: '' }
    for (const [index, waiting] of calls.entries()) {
      const timer = setTimeout(() => {
        this.settle(sent, index)?.reject(tooLate())
      }, waiting.call.timeoutMs)
      sent.calls.set(index, { ...waiting, timer })
    }
    sent.token = this.sent.add(sent)
    return sent
  }

  private heard(sent: Sent, message: Msg): void {
    if (isNoResponders(message)) {
      this.resend(sent)
      return
    }
    let answers: z.infer<typeof Answers>['answers']
    try {
      ;({ answers } = Answers.parse(read(message)))
    } catch (error) {
      this.rejectAll(sent, error instanceof OperationError ? error : unreadable(error))
      return
    }
    for (const [index, output, failure] of answers) {
      const waiting = this.settle(sent, index)
      if (failure === undefined) waiting?.resolve(output)
      else waiting?.reject(fromFailure(failure))
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
    for (const sent of this.sent.values())
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
      this.sent.remove(sent.token)
      sent.inbox.close()
    }
    return waiting
  }

  private rejectAll(sent: Sent, error: unknown): void {
    for (const index of sent.calls.keys()) this.settle(sent, index)?.reject(error)
  }
}

/** Text, put together from what is JSON already; the claims of one credential are sent once. */
function bodyOf(calls: readonly Waiting[]): string {
  const claims = new Map<string, number>()
  const parts = calls.map(({ call }) => {
    let part = `{"input":${call.input},"timeout_ms":${String(Math.ceil(call.timeoutMs))}`
    if (call.claims) {
      if (!claims.has(call.claims)) claims.set(call.claims, claims.size)
      part += `,"claims":${String(claims.get(call.claims))}`
    }
    if (call.requestId) part += `,"request_id":${JSON.stringify(call.requestId)}`
    if (call.traceparent) part += `,"traceparent":${JSON.stringify(call.traceparent)}`
    if (call.clientAddress) part += `,"client_address":${JSON.stringify(call.clientAddress)}`
    return `${part}}`
  })
  return `{"claims":${JSON.stringify([...claims.keys()])},"calls":[${parts.join(',')}]}`
}

function unreadable(cause: unknown): OperationError {
  return new OperationError('internal', 'The service gave a reply that could not be read.', {}, { cause })
}
