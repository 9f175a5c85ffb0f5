import { OperationError } from '@bearing/contracts/errors'
import { toFailure } from '@bearing/contracts/failure'
import { MAX_BATCH_CALLS } from '@bearing/contracts/operation'
import type { Msg } from '@nats-io/transport-node'
import { z } from 'zod'
import { replyTooLarge } from './answer.js'
import { parse, type CallHeader, type IncomingCall } from './incoming-call.js'

/** What a message holds that brings several calls: see `batchSubject` in contracts. */
const Batch = z.object({
  claims: z.array(z.string()).max(MAX_BATCH_CALLS),
  calls: z
    .array(
      z.object({
        input: z.unknown(),
        claims: z.int().min(0).optional(),
        request_id: z.string().optional(),
        traceparent: z.string().optional(),
        client_address: z.string().optional(),
        timeout_ms: z.number().optional(),
      }),
    )
    .min(1)
    .max(MAX_BATCH_CALLS),
})
type Call = z.infer<typeof Batch>['calls'][number]

/** How many calls are begun in one turn of the event loop: what else there is to do waits for these, and no more. */
const CALLS_PER_TURN = 4
/** Room for headers and the envelope in a reply, in bytes. */
const ENVELOPE_BYTES = 512

/**
 * Begins the calls of a message, a few in each turn of the event loop, so that a full message holds up nobody's single
 * call. What is answered by the time that all were begun goes back in one reply, the rest as it becomes ready.
 *
 * @param serve handles one call; has answered it when it resolves, and never rejects
 * @throws OperationError `malformed_json`, `invalid_input`
 */
export async function serveBatch(
  message: Msg,
  maxPayload: number,
  serve: (call: IncomingCall) => Promise<void>,
): Promise<void> {
  const parsed = Batch.safeParse(parse(message))
  if (!parsed.success)
    throw new OperationError('invalid_input', 'The request does not hold calls that travel together.')
  const { calls, claims } = parsed.data
  const answers = new BatchAnswers(message, maxPayload - ENVELOPE_BYTES)
  const served: Promise<void>[] = []
  for (const [index, call] of calls.entries()) {
    if (index > 0 && index % CALLS_PER_TURN === 0) await nextTurn()
    served.push(serve(new BatchedCall(index, call, claims, answers)))
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
    private readonly call: Call,
    private readonly claims: readonly string[],
    private readonly answers: BatchAnswers,
  ) {}

  header(name: CallHeader): string | undefined {
    const { call } = this
    switch (name) {
      case 'identity':
        return call.claims === undefined ? undefined : this.claims[call.claims]
      case 'timeout':
        return call.timeout_ms === undefined ? undefined : String(call.timeout_ms)
      case 'requestId':
        return call.request_id || undefined
      case 'clientAddress':
        return call.client_address || undefined
      case 'traceparent':
        return call.traceparent || undefined
      // What takes bytes travels alone.
      case 'input':
        return undefined
    }
  }

  input(): unknown {
    return this.call.input ?? {}
  }

  answer(output: unknown): void {
    this.answers.add(`[${String(this.index)},${JSON.stringify(output)}]`)
  }

  fail(error: OperationError): void {
    this.answers.add(`[${String(this.index)},null,${JSON.stringify(toFailure(error))}]`)
  }
}

/** Sends answers together: all that became ready in the same turn of the event loop. */
class BatchAnswers {
  private ready: string[] = []
  private bytes = 0
  private begun = false
  private scheduled = false

  constructor(
    private readonly message: Msg,
    private readonly maxBytes: number,
  ) {}

  /** @throws OperationError `reply_too_large` */
  add(answer: string): void {
    const bytes = Buffer.byteLength(answer) + 1
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
    const body = `{"answers":[${this.ready.join(',')}]}`
    this.ready = []
    this.bytes = 0
    try {
      this.message.respond(body)
    } catch {
      // The connection is gone, and with it the callers' way to hear anything; they see their own time-outs.
    }
  }
}
