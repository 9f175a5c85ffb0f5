import type { z } from 'zod'
import type { ErrorCode } from './errors.js'
import type { Permission } from './permission.js'

/**
 * Who may call an operation.
 *
 * - a {@link Permission}: the caller sends signed claims, and the principal in them must hold the permission on the
 *   organization and project that the input names.
 * - `public`: no claims; over HTTP no credential is asked for or looked at. For who has none yet: signing in, taking up an
 *   invitation. What is proven is part of the input.
 * - `internal`: no claims, and no route. For services only; NATS subject permissions decide who may publish here.
 */
export type Access = Permission | 'public' | 'internal'

/** Whether the caller of an operation has to prove who they are. */
export function needsClaims(access: Access): access is Permission {
  return access !== 'public' && access !== 'internal'
}

/** The service that answers an operation, which is the audience of claims sent to it: the first part of the subject. */
export function audienceOf({ subject }: Pick<Operation, 'subject'>): string {
  const [service = ''] = subject.split('.', 1)
  return service
}

/** An operation: what crosses NATS, declared once, as a value. */
export interface Operation<
  Request extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> {
  /** NATS subject: `<service>.v<major>.<noun>.<verb>`. */
  readonly subject: string
  /** One sentence for the API reference, in the imperative. */
  readonly summary: string
  /** Longer text for the API reference (Markdown). */
  readonly description?: string
  readonly input: Request
  readonly output: Reply
  /** The codes a caller has to handle, apart from the ones every operation can answer with. */
  readonly errors: readonly Code[]
  readonly permission: Access
  /**
   * Services that call this operation with the claims that they received from their own caller. Claims made for them are
   * accepted, besides those made for the service that answers.
   */
  readonly forwardedBy?: readonly string[]
  /** How long a caller waits for the reply, in milliseconds, when it does not say. */
  readonly timeoutMs: number
  /**
   * Whether calls that one process makes in the same turn of its event loop may travel as one message: for small, frequent
   * operations, since NATS costs by the message. Handlers do not notice; who calls from outside need not know.
   */
  readonly batched: boolean
  /**
   * The field of the input that is bytes (`Uint8Array`): it is the body of the message as it is, and the rest of the input is
   * JSON in a header. For large pieces between our own services alone: as text in JSON each costs several copies.
   */
  readonly bytes?: string
  /**
   * Whether nobody answers it: the gateway stores the request in a stream (`streams.ts`) and answers itself. A service
   * works the stream off later.
   */
  readonly stored?: boolean
}

/**
 * Where calls of an operation that travel together are sent to: `<subject>.calls`. The body is a line of JSON,
 * `{"claims": [text…], "calls": [{"bytes": …, "over": {…}, "claims": index, "request_id", "traceparent", "client_address",
 * "timeout_ms"}…]}`, and behind it the inputs, each a JSON text of so many bytes, one right after the other. All but `bytes` may
 * be missing; what is in `over` counts in the place of fields of the input, which must be an object then (null: it has no such
 * field), and the rest means what the headers of a single call mean. Replies are a line
 * `{"answers": [[index, bytes] or [index, bytes, 1]…]}` and behind it the outputs or, where there is a 1, the failures: one reply
 * or more, each with what is ready; every call is answered once.
 *
 * So who forwards need not read what is forwarded, and what somebody outside has written cannot pass for anything else.
 */
export function batchSubject({ subject }: Pick<Operation, 'subject'>): string {
  return `${subject}.calls`
}

/** The most calls that travel as one message. */
export const MAX_BATCH_CALLS = 64

/**
 * Declares an operation.
 *
 * @param declaration the parts of an {@link Operation}; `timeoutMs` is 5,000 and `batched` false unless given
 */
export function operation<Request extends z.ZodType, Reply extends z.ZodType, const Code extends ErrorCode>(
  declaration: Omit<Operation<Request, Reply, Code>, 'timeoutMs' | 'batched'> &
    Partial<Pick<Operation, 'timeoutMs' | 'batched'>>,
): Operation<Request, Reply, Code> {
  return { timeoutMs: 5_000, batched: false, ...declaration }
}

/** What a handler receives: the input after validation, defaults filled in. */
export type Input<O extends Operation> = z.output<O['input']>
/** What a caller sends: the input before validation, fields with defaults optional. */
export type Request<O extends Operation> = z.input<O['input']>
/** What a handler returns and a caller gets. */
export type Output<O extends Operation> = z.output<O['output']>

/** An event: something that has happened, published after the transaction that caused it was committed. */
export interface Event<Data extends z.ZodType = z.ZodType> {
  /** NATS subject: `<service>.v<major>.<noun>.<past participle>`. */
  readonly subject: string
  readonly data: Data
}

/** Declares an event. */
export function event<Data extends z.ZodType>(declaration: Event<Data>): Event<Data> {
  return declaration
}

/** What an event carries. */
export type EventData<E extends Event> = z.output<E['data']>
