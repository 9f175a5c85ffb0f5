import type { z } from 'zod'
import type { ErrorCode } from './errors.js'
import type { Permission } from './permission.js'
import { strict } from './strict.js'

/**
 * The access to an operation.
 *
 * - a {@link Permission}: the caller sends signed claims, and the principal in them must hold the permission on the
 *   organization and project that the input names.
 * - `public`: no claims; over HTTP a credential is neither required nor read. For callers without one: signing in, accepting an
 *   invitation. The input contains the proof.
 * - `internal`: no claims and no route, for services only. NATS permissions decide who may call it.
 */
export type Access = Permission | 'public' | 'internal'

export function needsClaims(access: Access): access is Permission {
  return access !== 'public' && access !== 'internal'
}

/** Returns the service of an operation, which is the audience of claims: the first part of the subject. */
export function audienceOf({ subject }: Pick<Operation, 'subject'>): string {
  const [service = ''] = subject.split('.', 1)
  return service
}

/**
 * The proof that a caller in a session gives, beside the session, because the operation makes or changes something that outlives it: a
 * credential, somebody's access, or a rule of signing in. Other credentials do not need it.
 *
 * - `recent`: the user has signed in with the browser, or confirmed the session (`confirmSession`), a short time ago.
 * - `recent-on-command-line`: likewise, for sessions of command lines.
 * - `in-request`: the input has the proof, and the handler checks it.
 */
export type Proof = 'recent' | 'recent-on-command-line' | 'in-request'

/** An operation that is called over NATS. */
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
  /** The error codes of this operation, besides those that every operation can return. */
  readonly errors: readonly Code[]
  readonly permission: Access
  /** Missing: the session is enough. */
  readonly proof?: Proof
  /**
   * Services that call this operation with the claims that they received from their own caller. Claims made for them are
   * accepted, besides those made for the service that answers.
   */
  readonly forwardedBy?: readonly string[]
  /** The default timeout of a call, in milliseconds. */
  readonly timeoutMs: number
  /**
   * True if calls of one turn of the event loop may be sent as one message (see {@link batchSubject}): for small, frequent
   * operations, because the cost of NATS is per message. Handlers do not notice.
   */
  readonly batched: boolean
  /**
   * The input field that is bytes (`Uint8Array`). It is sent as the body, and the other fields as JSON in a header: bytes in JSON
   * cost several copies. For internal operations only.
   */
  readonly bytes?: string
  /**
   * Reads an input as nearly all callers write it from its bytes, with the result that JSON and the schema `input` have; undefined for every
   * other, which is read with those. For operations that are called so often that it saves a part of the processor time.
   *
   * @param over fields that replace those of the JSON object
   */
  readonly readUsual?: (
    json: Uint8Array,
    over: Readonly<Record<string, unknown>>,
  ) => z.output<Request> | undefined
  /**
   * Writes an output as nearly all are, with the text that the schema `output` and JSON give; undefined for every other, which is written with
   * those. For the same operations.
   */
  readonly writeUsual?: (output: unknown) => string | undefined
  /**
   * True if the gateway stores the request in a stream (`streams.ts`) and responds itself. A service processes the stream
   * later.
   */
  readonly stored?: boolean
  /**
   * True if unknown members of the input are ignored: for devices in the field, which are never all updated, or if another
   * protocol demands it. All other operations refuse them: a misspelled restriction would be none.
   */
  readonly lenient?: boolean
}

/**
 * Returns the subject for batches of calls: `<subject>.calls`. The body is a line of JSON,
 * `{"claims": [text…], "calls": [{"bytes": …, "over": {…}, "claims": index, "request_id", "traceparent", "client_address",
 * "timeout_ms"}…]}`, followed by the inputs: JSON texts of the given lengths, without separators. Only `bytes` is
 * required. `over` replaces fields of the input, which must be an object then (null removes a field); the others have the
 * meaning of the headers of a single call. Replies are a line
 * `{"answers": [[index, bytes] or [index, bytes, 1]…]}`, followed by the outputs, or the failures for entries
 * with a 1: one or more replies, which answer every call once.
 *
 * So the gateway forwards inputs without reading them, and an input cannot change the meaning of the message.
 */
export function batchSubject({ subject }: Pick<Operation, 'subject'>): string {
  return `${subject}.calls`
}

/** The most calls in one message. */
export const MAX_BATCH_CALLS = 64

/**
 * Declares an operation.
 *
 * @param declaration the parts of an {@link Operation}; `timeoutMs` defaults to 5,000 and `batched` to false; objects of `input` become strict,
 *   unless it is `lenient`
 */
export function operation<Request extends z.ZodType, Reply extends z.ZodType, const Code extends ErrorCode>(
  declaration: Omit<Operation<Request, Reply, Code>, 'timeoutMs' | 'batched'> &
    Partial<Pick<Operation, 'timeoutMs' | 'batched'>>,
): Operation<Request, Reply, Code> {
  const input = declaration.lenient ? declaration.input : strict(declaration.input)
  return { timeoutMs: 5_000, batched: false, ...declaration, input }
}

/**
 * Marks an input that only the gateway knows, such as what is in a cookie. Over HTTP it is no part of the interface: the gateway
 * replaces it, and the API reference leaves it out.
 */
export function setByGateway<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
): z.ZodOptional<Schema> {
  return schema.optional().meta({ description: `${description} Set by the gateway.`, setByGateway: true })
}

/** The input that a handler receives: validated, with defaults. */
export type Input<O extends Operation> = z.output<O['input']>
/** The input that a caller sends: fields with defaults are optional. */
export type Request<O extends Operation> = z.input<O['input']>
export type Output<O extends Operation> = z.output<O['output']>

/** An event, published after the commit of the transaction that caused it. */
export interface Event<Data extends z.ZodType = z.ZodType> {
  /** NATS subject: `<service>.v<major>.<noun>.<past participle>`. */
  readonly subject: string
  readonly data: Data
}

export function event<Data extends z.ZodType>(declaration: Event<Data>): Event<Data> {
  return declaration
}

export type EventData<E extends Event> = z.output<E['data']>
