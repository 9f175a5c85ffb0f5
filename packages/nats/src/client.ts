import { OperationError } from '@bearing/contracts/errors'
import { fromFailure } from '@bearing/contracts/failure'
import { ERROR_HEADERS, HEADERS } from '@bearing/contracts/headers'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import {
  ClosedConnectionError,
  ConnectionError,
  DrainingConnectionError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
  headers as natsHeaders,
  type Msg,
  type RequestOptions,
} from '@nats-io/transport-node'
import { currentCall } from './call-context.js'
import type { Connection } from './connection.js'

/** How one call is made. What is left out is taken from the call that the running code belongs to, if any. */
export interface CallOptions {
  /** Signed claims. Those of the call that is being handled are passed on only where they are given here. */
  readonly claims?: string | undefined
  readonly requestId?: string | undefined
  readonly traceparent?: string | undefined
  readonly clientAddress?: string | undefined
  /** How long to wait for the reply, in milliseconds; the operation's own unless given, never past the deadline. */
  readonly timeoutMs?: number | undefined
}

/** Room for all headers but the claims, in bytes. */
const HEADER_BYTES = 2_048

/** Calls operations over NATS. */
export class NatsClient {
  constructor(private readonly connection: Connection) {}

  /**
   * Calls an operation and waits for its reply.
   *
   * @throws OperationError what the operation answered, or `service_unavailable` where nobody answers, NATS is down or refuses
   *   the subject,
   *   `deadline_exceeded` where the reply did not come in time, `payload_too_large` where the request is too large
   */
  async call<O extends Operation>(
    operation: O,
    request: Request<O>,
    options: CallOptions = {},
  ): Promise<Output<O>> {
    const timeoutMs = remaining(options.timeoutMs ?? operation.timeoutMs)
    const payload = serialize(request)
    const headerBytes = HEADER_BYTES + (options.claims?.length ?? 0)
    if (payload.length * 3 + headerBytes > this.connection.maxPayload)
      this.refuseTooLarge(payload, headerBytes)
    if (!this.connection.isUp) throw unavailable()
    let reply: Msg
    try {
      reply = await this.send(operation.subject, payload, {
        timeout: timeoutMs,
        headers: headersOf(options, timeoutMs),
      })
    } catch (error) {
      throw transportError(error)
    }
    return read(reply) as Output<O> // the server has validated its reply against operation.output
  }

  /**
   * Sends a request. The library makes an error for each, in case it fails; without its stack trace, which would only
   * lead here, a request costs a twentieth less.
   */
  private send(subject: string, payload: string, options: RequestOptions): Promise<Msg> {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    try {
      return this.connection.raw.request(subject, payload, options)
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  /** Headers and body share the limit of a message. */
  private refuseTooLarge(payload: string, headerBytes: number): void {
    const limit = this.connection.maxPayload - headerBytes
    if (Buffer.byteLength(payload) > limit)
      throw new OperationError(
        'payload_too_large',
        `The request is larger than ${String(Math.max(0, limit))} bytes.`,
      )
  }
}

/** Text may be nested deeper than what can be written again; no operation takes anything like that. */
function serialize(request: unknown): string {
  try {
    return JSON.stringify(request)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const detail = 'must not be nested that deeply'
    throw new OperationError(
      'invalid_input',
      `The input ${detail}.`,
      { errors: [{ pointer: '', detail }] },
      { cause },
    )
  }
}

function remaining(timeoutMs: number): number {
  const call = currentCall()
  if (!call) return timeoutMs
  const left = call.deadlineMs - Date.now()
  if (left <= 0)
    throw new OperationError('deadline_exceeded', 'There was no time left to ask for the answer.')
  return Math.min(timeoutMs, left)
}

function headersOf(options: CallOptions, timeoutMs: number) {
  const call = currentCall()
  const headers = natsHeaders()
  headers.set(HEADERS.timeout, String(Math.ceil(timeoutMs)))
  const requestId = options.requestId ?? call?.requestId
  if (requestId) headers.set(HEADERS.requestId, requestId)
  if (options.claims) headers.set(HEADERS.identity, options.claims)
  const clientAddress = options.clientAddress ?? call?.clientAddress
  if (clientAddress) headers.set(HEADERS.clientAddress, clientAddress)
  const traceparent = options.traceparent ?? call?.traceparent
  if (traceparent) headers.set(HEADERS.traceparent, traceparent)
  return headers
}

function read(reply: Msg): unknown {
  let body: unknown
  try {
    body = reply.json()
  } catch (cause) {
    throw new OperationError('internal', 'The service gave a reply that is not JSON.', {}, { cause })
  }
  if (reply.headers?.has(ERROR_HEADERS.code)) throw fromFailure(body)
  return body
}

function unavailable(cause?: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'A part of the service cannot be reached at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}

function transportError(error: unknown): OperationError {
  const cause = error instanceof RequestError ? (error.cause ?? error) : error
  if (cause instanceof TimeoutError)
    return new OperationError(
      'deadline_exceeded',
      'The answer did not come in time. Try again shortly.',
      { retry_after: 1 },
      { cause },
    )
  if (
    cause instanceof NoRespondersError ||
    cause instanceof PermissionViolationError ||
    cause instanceof ClosedConnectionError ||
    cause instanceof DrainingConnectionError ||
    cause instanceof ConnectionError ||
    (error instanceof RequestError && error.isNoResponders())
  )
    return unavailable(cause)
  return new OperationError('internal', 'The request could not be sent.', {}, { cause })
}
