import { refusal, type Resource } from '@bearing/access/authorize'
import { devicesNamedIn, mayNameDevices, otherDevice } from '@bearing/access/named-devices'
import { OperationError } from '@bearing/contracts/errors'
import { HEADERS } from '@bearing/contracts/headers'
import { batchSubject, needsClaims, type Operation } from '@bearing/contracts/operation'
import type { DevicePrincipal, Principal } from '@bearing/contracts/principal'
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices'
import type { Msg } from '@nats-io/transport-node'
import { isObservable, lastValueFrom } from 'rxjs'
import { serveBatch } from '../batches/batched-calls.js'
import { withinCall, type CallContext } from './call-context.js'
import { CallLimit } from './call-limit.js'
import type { Connection } from '../connection.js'
import { answerDiscovery, type EndpointStatistics, type ServiceIdentity } from './discovery.js'
import { isCall } from '../permissions/genuine.js'
import { OPERATION } from './handle.js'
import { SingleCall, type IncomingCall } from './incoming-call.js'
import { ResilientSubscription } from '../resilient-subscription.js'
import { callAttributes, endOf, startSpan, type Span } from './tracing.js'
import { validate } from './validate.js'

/** The outcome of one call, for logs and metrics. */
export interface CallRecord {
  readonly subject: string
  readonly context: CallContext
  readonly durationMs: number
  /** Undefined where the call succeeded. */
  readonly error?: OperationError
}

/** Options of the transport, which the service that runs it sets. */
export interface NatsServerOptions {
  readonly connection: Connection
  readonly service: ServiceIdentity
  /**
   * Verifies claims.
   *
   * @param audiences the services whose claims the operation accepts
   * @throws OperationError `credential_invalid` if they are not valid, `service_unavailable` if that cannot be decided
   */
  readonly verifyClaims: (claims: string, audiences: readonly string[]) => Promise<Principal>
  /** Called after every reply. An error with a cause that is not the caller's is worth logging. */
  readonly record: (call: CallRecord) => void
  /** Translates an error of a library for the caller, if it means more than "internal". */
  readonly translate?: (error: unknown) => OperationError | undefined
  /**
   * Receives each message that is no call of a user, such as one that JetStream delivers to a reply subject. It is not
   * executed, and not answered.
   */
  readonly ignored?: (subject: string, reply: string | undefined) => void
  /** Called when NATS no longer lets a subject be served, and when it is served again. */
  readonly lost: (subject: string, error: Error) => void
  readonly restored?: (subject: string) => void
  /** Returns the report of the process for operators (default: empty). */
  readonly report?: () => Promise<object>
  /** Makes an id for calls that come without one. */
  readonly newRequestId: () => string
  /** Concurrent calls; more are refused with `overloaded` ({@link CallLimit}). */
  readonly maxConcurrentCalls?: number
}

const noReport = () => Promise.resolve({})

interface Endpoint extends EndpointStatistics {
  readonly operation: Operation
  /** The services whose claims it accepts. */
  readonly audiences: readonly string[]
  readonly handler: MessageHandler
}

/**
 * Nest transport strategy: serves operations over NATS. Requests and replies are plain JSON, errors follow ADR-32, so
 * a caller in any language needs no more than an ordinary request. Every request gets an answer.
 */
export class NatsServer extends Server implements CustomTransportStrategy {
  private readonly endpoints: Endpoint[] = []
  private subscriptions: ResilientSubscription[] = []
  private readonly calls: CallLimit

  constructor(private readonly options: NatsServerOptions) {
    super()
    this.calls = new CallLimit(options.maxConcurrentCalls ?? 1_024)
  }

  override listen(ready: (error?: unknown) => void): void {
    for (const [subject, handler] of this.messageHandlers) {
      const operation = handler.extras?.[OPERATION] as Operation | undefined // put there by @Handle
      if (!operation) throw new Error(`the handler of ${subject} was not declared with @Handle`)
      this.endpoints.push({
        subject,
        operation,
        audiences: [this.options.service.name, ...(operation.forwardedBy ?? [])],
        handler,
        requests: 0,
        errors: 0,
        lastError: '',
        processingNs: 0,
      })
    }
    const { connection, service, lost, restored, ignored, report = noReport } = this.options
    let refusal: Error | undefined
    const subscribe = (subject: string, serve: (message: Msg) => void) =>
      new ResilientSubscription(connection, subject, {
        queue: service.name,
        received: (message) => {
          if (isCall(message, subject, service.name)) serve(message)
          else ignored?.(subject, message.reply)
        },
        refused: (error) => {
          refusal ??= error
          lost(subject, error)
        },
        restored: () => restored?.(subject),
      })
    for (const endpoint of this.endpoints) {
      const single = (message: Msg) =>
        void this.serve(endpoint, new SingleCall(message, connection.maxPayload))
      this.subscriptions.push(subscribe(endpoint.subject, single))
      const batch = (message: Msg) => void this.serveTogether(endpoint, message)
      if (endpoint.operation.batched)
        this.subscriptions.push(subscribe(batchSubject(endpoint.operation), batch))
    }
    this.subscriptions.push(...answerDiscovery(connection, service, this.endpoints, new Date(), report))
    connection.beforeLeaving(async () => {
      await Promise.allSettled(this.subscriptions.map((subscription) => subscription.pause()))
      await this.calls.drained()
    })
    // By the time the server has answered this, it has refused what it refuses.
    connection.raw.flush().then(() => {
      ready(refusal)
    }, ready)
  }

  /** Stops taking requests and waits until those under way are answered. The connection stays open. */
  override async close(): Promise<void> {
    if (this.options.connection.isUp)
      await Promise.allSettled(this.subscriptions.map((subscription) => subscription.drain()))
    await this.calls.drained()
    if (this.options.connection.isUp) await this.options.connection.raw.flush()
  }

  override on(): never {
    throw new Error('the NATS transport has no events of its own')
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- Nest declares the method like this
  override unwrap<T>(): T {
    return this.options.connection.raw as T // Nest's contract: the caller names the type of the underlying client
  }

  /** Counts as under way itself: some of its calls may not have begun when the service is to stop. */
  private async serveTogether(endpoint: Endpoint, message: Msg): Promise<void> {
    this.calls.enter()
    try {
      await serveBatch(message, this.options.connection.maxPayload, (call) => this.serve(endpoint, call))
    } catch (error) {
      this.fail(new SingleCall(message, 0), toOperationError(error, undefined))
    }
    this.calls.leave()
  }

  private async serve(endpoint: Endpoint, call: IncomingCall): Promise<void> {
    const started = performance.now()
    this.calls.enter()
    let context: CallContext | undefined
    let failure: OperationError | undefined
    let span: Span | undefined
    try {
      context = this.contextOf(endpoint, call)
      span = startSpan(context.traceparent, () => spanOf(endpoint))
      if (span) context = { ...context, traceparent: span.traceparent }
      context = await this.identify(endpoint, context)
      if (context.principal?.kind === 'device')
        refuseOtherDevices(context.principal, endpoint.operation, call)
      const input = readInput(endpoint.operation, call)
      context = { ...context, organizationId: organizationOf(context.principal, input) }
      call.answer(await this.execute(endpoint, input, context))
    } catch (error) {
      failure = toOperationError(error, this.options.translate)
      this.fail(call, failure)
    }
    const recorded = context ?? { requestId: this.options.newRequestId(), deadlineMs: Date.now() }
    this.finish(endpoint, recorded, performance.now() - started, failure)
    if (span) endSpan(span, recorded, failure)
    this.calls.leave()
  }

  /** Returns the output as JSON. */
  private async execute(endpoint: Endpoint, input: unknown, context: CallContext): Promise<string> {
    const { operation } = endpoint
    const { principal } = context
    if (principal) authorize(operation, principal, input as Resource) // the scope fields of operations are named alike
    return this.calls.within(principal, async () => {
      const result: unknown = await withinCall(context, () => endpoint.handler(input, principal))
      const output: unknown = isObservable(result) ? await lastValueFrom(result) : result
      return writeReply(operation, output)
    })
  }

  /** The context with who calls. */
  private async identify({ operation, audiences }: Endpoint, context: CallContext): Promise<CallContext> {
    this.calls.refuse(operation.permission)
    if (!needsClaims(operation.permission)) return context
    if (!context.claims)
      throw new OperationError(
        'credential_missing',
        `This operation needs signed claims in the header ${HEADERS.identity}.`,
      )
    return { ...context, principal: await this.options.verifyClaims(context.claims, audiences) }
  }

  private contextOf(endpoint: Endpoint, call: IncomingCall): CallContext {
    const timeoutMs = Number(call.header('timeout')) || endpoint.operation.timeoutMs
    return {
      requestId: call.header('requestId')?.slice(0, 128) ?? this.options.newRequestId(),
      traceparent: call.header('traceparent'),
      clientAddress: call.header('clientAddress'),
      claims: call.header('identity'),
      deadlineMs: Date.now() + Math.min(timeoutMs, 600_000),
    }
  }

  private fail(call: IncomingCall, error: OperationError): void {
    try {
      call.fail(error)
    } catch {
      // The connection is gone: the caller sees its own time-out.
    }
  }

  private finish(endpoint: Endpoint, context: CallContext, durationMs: number, error?: OperationError): void {
    endpoint.requests++
    endpoint.processingNs += durationMs * 1e6
    if (error) {
      endpoint.errors++
      endpoint.lastError = `${String(error.status)}:${error.code}`
    }
    this.options.record({ subject: endpoint.subject, context, durationMs, ...(error && { error }) })
  }
}

function spanOf({ subject }: Endpoint) {
  return { name: subject, kind: 'server', attributes: callAttributes(subject) } as const
}

function endSpan(span: Span, { organizationId }: CallContext, failure: OperationError | undefined): void {
  span.end({
    ...(failure && endOf(failure)),
    ...(organizationId !== undefined && { attributes: { 'bearing.organization_id': organizationId } }),
  })
}

function readInput(operation: Operation, call: IncomingCall): unknown {
  const unread = call.unread()
  const usual = unread && operation.readUsual?.(unread.json, unread.over)
  return usual ?? validate(operation.input, call.input(operation))
}

/** Read from JSON before validation, which drops a serial number that it cannot use. */
function refuseOtherDevices(device: DevicePrincipal, operation: Operation, call: IncomingCall): void {
  const unread = call.unread()
  if (unread && !mayNameDevices(unread.json)) return
  const other = devicesNamedIn(call.input(operation)).find((serial) => serial !== device.device_serial)
  if (other !== undefined) throw otherDevice(device)
}

function authorize(operation: Operation, principal: Principal, resource: Resource): void {
  if (!needsClaims(operation.permission)) return
  const refused = refusal(principal, operation.permission, resource)
  if (refused) throw new OperationError(refused.code, refused.message)
}

/** The organization that a call is about: the one of its input, else the one that the caller is bound to. */
function organizationOf(principal: Principal | undefined, input: unknown): string | undefined {
  const { organization_id } = input as Resource // the scope fields of operations are named alike
  if (typeof organization_id === 'string') return organization_id
  return principal && 'organization_id' in principal ? principal.organization_id : undefined
}

function writeReply(operation: Operation, output: unknown): string {
  const usual = operation.writeUsual?.(output)
  if (usual !== undefined) return usual
  const result = operation.output.safeParse(output)
  if (result.success) return JSON.stringify(result.data)
  throw new Error(`the reply of ${operation.subject} breaks its contract`, { cause: result.error })
}

/** Any error that is not an {@link OperationError} is our own fault: the caller learns that much and no more. */
function toOperationError(error: unknown, translate: NatsServerOptions['translate']): OperationError {
  if (error instanceof OperationError) return error
  const translated = translate?.(error)
  if (translated) return translated
  return new OperationError(
    'internal',
    'Something went wrong on our side. The request id helps to find out what.',
    {},
    { cause: error },
  )
}
