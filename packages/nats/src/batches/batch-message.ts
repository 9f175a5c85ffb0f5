import { Buffer } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'
import { MAX_BATCH_CALLS } from '@bearing/contracts/operation'
import { z } from 'zod'
import { readJson, type Integers } from '../calls/json-object.js'
import { readUnread, type UnreadInput } from '../calls/unread-input.js'
import { cutParts, joinParts, readLine } from '../lined-message.js'

// Messages of calls that travel together: see `batchSubject` in contracts. Writing and reading are both here.

/** The headers of a call. */
interface CallHead<TimeoutMs = number> {
  readonly timeoutMs: TimeoutMs
  readonly claims: string | undefined
  readonly requestId: string | undefined
  readonly clientAddress: string | undefined
  readonly traceparent: string | undefined
}

/** A call of a message. */
export interface BatchCall extends CallHead {
  /** JSON. */
  readonly input: string | UnreadInput
}

/** The answer to a call of a message. */
export interface BatchAnswer {
  /** Its place in the message. */
  readonly index: number
  /** The output or, where it has failed, the failure; JSON. */
  readonly text: string
  readonly isFailure: boolean
}

const Calls = z.object({
  claims: z.array(z.string()).max(MAX_BATCH_CALLS),
  calls: z
    .array(
      z.object({
        bytes: z.int().min(0),
        over: z.custom<Readonly<Record<string, unknown>>>(isFields).optional(),
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
const Answers = z.object({
  answers: z.array(
    z.union([
      z.tuple([z.int().min(0), z.int().min(0)]),
      z.tuple([z.int().min(0), z.int().min(0), z.literal(1)]),
    ]),
  ),
})

/** A call as it was received. */
export interface ReceivedCall extends CallHead<number | undefined> {
  /**
   * Its input.
   *
   * @throws OperationError `malformed_json`, `invalid_input`
   */
  readonly read: (integers: Integers) => unknown
  /** The same before it is read, where fields replace some of it. */
  readonly unread: UnreadInput | undefined
}

function isFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes calls into one message. The claims of one credential are in it once. */
export function writeCalls(calls: readonly BatchCall[]): Buffer {
  const claims = new Map<string, number>()
  const parts: Uint8Array[] = []
  const heads = calls.map((call) => {
    const part = typeof call.input === 'string' ? Buffer.from(call.input) : call.input.json
    parts.push(part)
    let head = `{"bytes":${String(part.length)},"timeout_ms":${String(Math.ceil(call.timeoutMs))}`
    if (typeof call.input !== 'string') head += `,"over":${JSON.stringify(call.input.over)}`
    if (call.claims) {
      if (!claims.has(call.claims)) claims.set(call.claims, claims.size)
      head += `,"claims":${String(claims.get(call.claims))}`
    }
    if (call.requestId) head += `,"request_id":${JSON.stringify(call.requestId)}`
    if (call.traceparent) head += `,"traceparent":${JSON.stringify(call.traceparent)}`
    if (call.clientAddress) head += `,"client_address":${JSON.stringify(call.clientAddress)}`
    return `${head}}`
  })
  return joinParts(`{"claims":${JSON.stringify([...claims.keys()])},"calls":[${heads.join(',')}]}`, parts)
}

/**
 * Reads the calls of a message; the input of each is read when it is asked for, so that one that is not JSON is nobody
 * else's mistake.
 *
 * @throws OperationError `malformed_json`, `invalid_input`
 */
export function readCalls(message: Uint8Array): ReceivedCall[] {
  const { head, body } = readLine(message)
  const parsed = Calls.safeParse(head)
  if (!parsed.success) throw noCalls()
  const { calls, claims } = parsed.data
  const inputs = cutParts(
    body,
    calls.map(({ bytes }) => bytes),
  )
  if (!inputs) throw noCalls()
  return calls.map((call, index) => {
    const json = inputs[index] ?? Buffer.of()
    const unread = call.over && { json, over: call.over }
    return {
      read: (integers) => (unread ? readUnread(unread) : json.length === 0 ? {} : readJson(json, integers)),
      unread,
      timeoutMs: call.timeout_ms,
      claims: call.claims === undefined ? undefined : claims[call.claims],
      requestId: call.request_id,
      clientAddress: call.client_address,
      traceparent: call.traceparent,
    }
  })
}

/** Writes what calls of a message are answered. */
export function writeAnswers(answers: readonly BatchAnswer[]): Buffer {
  const parts = answers.map(({ text }) => Buffer.from(text))
  const heads = answers.map(
    ({ index, isFailure }, at) => `[${String(index)},${String(parts[at]?.length)}${isFailure ? ',1' : ''}]`,
  )
  return joinParts(`{"answers":[${heads.join(',')}]}`, parts)
}

/** @throws where the message does not hold answers */
export function readAnswers(message: Uint8Array): BatchAnswer[] {
  const { head, body } = readLine(message)
  const { answers } = Answers.parse(head)
  const texts = cutParts(
    body,
    answers.map(([, bytes]) => bytes),
  )
  if (!texts) throw new RangeError('the answers are not as long as they are said to be')
  return answers.map(([index, , failure], at) => ({
    index,
    text: texts[at]?.toString('utf8') ?? '',
    isFailure: failure === 1,
  }))
}

function noCalls(): OperationError {
  return new OperationError('invalid_input', 'The request does not hold calls that travel together.')
}
