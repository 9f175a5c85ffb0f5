import type { OperationError } from '@bearing/contracts/errors'
import { toFailure } from '@bearing/contracts/errors/failure'
import type { Operation } from '@bearing/contracts/operation'
import type { Msg } from '@nats-io/transport-node'
import { replyTooLarge } from '../calls/answer.js'
import { readCalls, writeAnswers, type BatchAnswer, type ReceivedCall } from './batch-message.js'
import type { CallHeader, IncomingCall } from '../calls/incoming-call.js'
import { integersOf } from '../calls/json-object.js'
import type { UnreadInput } from '../calls/unread-input.js'

/** Calls that are begun in one turn of the event loop: other work waits for these, and no more. */
const CALLS_PER_TURN = 4
/** Room for headers and the envelope in a reply, in bytes. */
const ENVELOPE_BYTES = 512
/** Room for what is said of an answer beside it, in bytes. */
const HEAD_BYTES = 32

/**
 * Begins the calls of a message, a few in each turn of the event loop, so that a full message holds up nobody's single
 * call. Answers that are ready when all were begun go back in one reply, the rest as they become ready.
 *
 * @param serve handles one call; has answered it when it resolves, and never rejects
 * @throws OperationError `malformed_json`, `invalid_input`
 */
export async function serveBatch(
  message: Msg,
  maxPayload: number,
  serve: (call: IncomingCall) => Promise<void>,
): Promise<void> {
  const calls = readCalls(message.data)
  const answers = new BatchAnswers(message, maxPayload - ENVELOPE_BYTES)
  const served: Promise<void>[] = []
  for (const [index, call] of calls.entries()) {
    if (index > 0 && index % CALLS_PER_TURN === 0) await nextTurn()
    served.push(serve(new BatchedCall(index, call, answers)))
  }
  await nextTurn()
  answers.allBegun()
  await Promise.all(served)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** One of several calls that came together. */
class BatchedCall implements IncomingCall {
  constructor(
    private readonly index: number,
    private readonly call: ReceivedCall,
    private readonly answers: BatchAnswers,
  ) {}

  header(name: CallHeader): string | undefined {
    const { call } = this
    switch (name) {
      case 'identity':
        return call.claims
      case 'timeout':
        return call.timeoutMs === undefined ? undefined : String(call.timeoutMs)
      case 'requestId':
        return call.requestId || undefined
      case 'clientAddress':
        return call.clientAddress || undefined
      case 'traceparent':
        return call.traceparent || undefined
      // A call with bytes in its input travels alone.
      case 'input':
        return undefined
    }
  }

  input(operation: Pick<Operation, 'lenient'>): unknown {
    return this.call.read(integersOf(operation))
  }

  unread(): UnreadInput | undefined {
    return this.call.unread
  }

  answer(output: string): void {
    this.answers.add({ index: this.index, text: output, isFailure: false })
  }

  fail(error: OperationError): void {
    this.answers.add({ index: this.index, text: JSON.stringify(toFailure(error)), isFailure: true })
  }
}

/** Sends answers together: all that became ready in the same turn of the event loop. */
class BatchAnswers {
  private ready: BatchAnswer[] = []
  private bytes = 0
  private begun = false
  private scheduled = false

  constructor(
    private readonly message: Msg,
    private readonly maxBytes: number,
  ) {}

  /** @throws OperationError `reply_too_large` */
  add(answer: BatchAnswer): void {
    const bytes = Buffer.byteLength(answer.text) + HEAD_BYTES
    if (bytes > this.maxBytes) throw replyTooLarge()
    if (this.bytes + bytes > this.maxBytes) this.send()
    this.ready.push(answer)
    this.bytes += bytes
    if (this.begun) this.sendSoon()
  }

  /** From now on there is nothing to wait for. */
  allBegun(): void {
    this.begun = true
    this.send()
  }

  private sendSoon(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.send()
    })
  }

  private send(): void {
    if (this.ready.length === 0) return
    const body = writeAnswers(this.ready)
    this.ready = []
    this.bytes = 0
    try {
      this.message.respond(body)
    } catch {
      // The connection is gone: the callers see their own time-outs.
    }
  }
}
