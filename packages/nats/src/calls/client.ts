import { OperationError } from '@bearing/contracts/errors'
import { HEADERS } from '@bearing/contracts/headers'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import { headers as natsHeaders } from '@nats-io/transport-node'
import { BatchSender, type OutgoingCall } from '../batches/batch-sender.js'
import { currentCall } from './call-context.js'
import type { Connection } from '../connection.js'
import { ReplyInboxes } from './reply-inboxes.js'
import { readOutput, textOf, unreadable } from './reply.js'
import { RequestSender } from './request-sender.js'
import { callAttributes, traced } from './tracing.js'
import { joinUnread, readUnread, type UnreadInput } from './unread-input.js'
import { untilOpen } from './until-open.js'

/** Options of one call. Those left out are taken from the call that the running code belongs to, if any. */
export interface CallOptions {
  /** Signed claims. Those of the call that is being handled are passed on only where they are given here. */
  readonly claims?: string | undefined
  readonly requestId?: string | undefined
  readonly traceparent?: string | undefined
  readonly clientAddress?: string | undefined
  /** Time to wait for the reply, in milliseconds (default: the operation's own); never past the deadline. */
  readonly timeoutMs?: number | undefined
}

/** Room for all headers but the claims, in bytes. */
const HEADER_BYTES = 2_048

/** Calls operations over NATS. */
export class NatsClient {
  private readonly requests: RequestSender
  private readonly batches: BatchSender

  constructor(private readonly connection: Connection) {
    const inboxes = new ReplyInboxes(connection)
    this.requests = new RequestSender(connection, inboxes)
    this.batches = new BatchSender(connection, inboxes, (subject, call) => this.send(subject, call))
  }

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
    const text = await this.sent(operation, { ...inputOf(operation, request), ...headOf(operation, options) })
    return readOutput(text) as Output<O> // the server has validated its reply against operation.output
  }

  /**
   * Calls an operation without reading what goes in and what comes out.
   *
   * @returns the output, JSON as the service has written it
   * @throws OperationError as {@link call}; `malformed_json` and `invalid_input` where the input is no JSON object
   */
  async handOn(operation: Operation, input: UnreadInput, options: CallOptions = {}): Promise<string> {
    const text = await this.sent(operation, { input, ...headOf(operation, options) })
    if (text === '') throw unreadable(undefined)
    return text
  }

  private sent(operation: Operation, call: OutgoingCall): Promise<string> {
    const { subject } = operation
    return traced(
      call.traceparent,
      () => startOf(subject),
      async (traceparent) => {
        let sent = traceparent === call.traceparent ? call : { ...call, traceparent }
        if (!this.connection.isOpen) {
          const leftMs = call.timeoutMs - (await untilOpen(this.connection, subject))
          sent = { ...sent, timeoutMs: Math.max(1, leftMs) }
        }
        return operation.batched ? this.batches.send(operation, sent) : this.send(subject, sent)
      },
    )
  }

  private async send(subject: string, call: OutgoingCall): Promise<string> {
    const { bytes, input } = call
    const body = bytes ?? (typeof input === 'string' ? input : textOfUnread(input))
    this.refuseTooLarge(body, HEADER_BYTES + (call.claims?.length ?? 0))
    const headers = headersOf(call, bytes && typeof input === 'string' ? input : undefined)
    return textOf(await this.requests.send(subject, body, headers, call.timeoutMs))
  }

  /** Headers and body share the limit of a message. */
  private refuseTooLarge(payload: string | Uint8Array, headerBytes: number): void {
    const limit = this.connection.maxPayload - headerBytes
    // A character takes three bytes at most.
    if (typeof payload === 'string' && payload.length * 3 <= limit) return
    if (Buffer.byteLength(payload) > limit)
      throw new OperationError(
        'payload_too_large',
        `The request is larger than ${String(Math.max(0, limit))} bytes.`,
      )
  }
}

function startOf(subject: string) {
  return { name: subject, kind: 'client', attributes: callAttributes(subject) } as const
}

function headOf(operation: Operation, options: CallOptions): Omit<OutgoingCall, 'input' | 'bytes'> {
  const call = currentCall()
  return {
    timeoutMs: remaining(options.timeoutMs ?? operation.timeoutMs),
    claims: options.claims,
    requestId: options.requestId ?? call?.requestId,
    clientAddress: options.clientAddress ?? call?.clientAddress,
    traceparent: options.traceparent ?? call?.traceparent,
  }
}

function inputOf({ bytes }: Operation, request: unknown): Pick<OutgoingCall, 'input' | 'bytes'> {
  if (bytes === undefined) return { input: serialize(request) }
  const { [bytes]: body, ...rest } = request as Record<string, unknown> // inputs with a field are objects
  return { input: serialize(rest), bytes: body as Uint8Array } // the operation says so
}

function textOfUnread(input: UnreadInput): string | Uint8Array {
  return joinUnread(input) ?? serialize(readUnread(input))
}

/** Text may be nested deeper than what can be written again; nothing that an operation makes use of is. */
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

/** @param input what goes into a header, where something else is the body */
function headersOf(call: OutgoingCall, input: string | undefined) {
  const { timeoutMs, requestId, claims, clientAddress, traceparent } = call
  const headers = natsHeaders()
  headers.set(HEADERS.timeout, String(Math.ceil(timeoutMs)))
  if (input !== undefined) headers.set(HEADERS.input, input)
  if (requestId) headers.set(HEADERS.requestId, requestId)
  if (claims) headers.set(HEADERS.identity, claims)
  if (clientAddress) headers.set(HEADERS.clientAddress, clientAddress)
  if (traceparent) headers.set(HEADERS.traceparent, traceparent)
  return headers
}
