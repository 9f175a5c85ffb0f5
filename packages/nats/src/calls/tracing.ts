import { OperationError } from '@bearing/contracts/errors'

/** Facts about a span, by name. Never a secret, nor anything that a caller wrote: traces leave the installation. */
export type Attributes = Readonly<Record<string, string | number>>

/** The start of a piece of work. */
export interface SpanStart {
  readonly name: string
  /** `server`: answers somebody; `client`: waits for somebody; `producer`: stores a message. */
  readonly kind: 'server' | 'client' | 'producer'
  /** W3C trace context that it belongs to; undefined: it begins a trace. */
  readonly parent?: string | undefined
  /** W3C trace context that it only refers to. */
  readonly link?: string | undefined
  readonly attributes: Attributes
}

/** The end of a piece of work. */
export interface SpanEnd {
  /** Replaces the name that it began with. */
  readonly name?: string
  /** Code of the error, of a fixed set. */
  readonly code?: string
  /** True if the error is Bearing's fault, and not the caller's. */
  readonly failed?: boolean
  readonly attributes?: Attributes
}

/** A piece of work that is under way and is recorded. */
export interface Span {
  /** W3C trace context for what it causes. */
  readonly traceparent: string
  end(how?: SpanEnd): void
}

/** Records spans. Neither throws nor waits. */
export interface Tracer {
  start(span: SpanStart): Span
}

let tracer: Tracer | undefined

/** Records the spans of this process from now on; undefined: none. */
export function traceWith(recorder: Tracer | undefined): void {
  tracer = recorder
}

/** Returns true if this process records spans. */
export function isTracing(): boolean {
  return tracer !== undefined
}

/** The last character of a trace context, and what it is where a trace is not recorded: nearly always. */
const [LAST, ZERO] = [54, 48]
/** A trace context whose trace is recorded. */
const SAMPLED = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f][13579bdf]$/

/** Returns true if this process records spans of the trace that a context belongs to. */
export function isRecorded(context: string | undefined): context is string {
  if (tracer === undefined || context === undefined || context.charCodeAt(LAST) === ZERO) return false
  return SAMPLED.test(context)
}

/** Begins a trace. Only the gateway does, and decides whether it is recorded: everything else follows its parent. */
export function startTrace(span: Omit<SpanStart, 'parent'>): Span | undefined {
  return tracer?.start(span)
}

/** Begins a span of the trace that a context belongs to; undefined if that trace is not recorded. */
export function startSpan(
  parent: string | undefined,
  begin: () => Omit<SpanStart, 'parent'>,
): Span | undefined {
  return isRecorded(parent) ? tracer?.start({ ...begin(), parent }) : undefined
}

/**
 * Runs work as a span of a trace, if that trace is recorded.
 *
 * @param run receives the trace context for what it causes
 */
export async function traced<Result>(
  parent: string | undefined,
  begin: () => Omit<SpanStart, 'parent'>,
  run: (traceparent: string | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(parent, begin)
  if (!span) return run(parent)
  try {
    const result = await run(span.traceparent)
    span.end()
    return result
  } catch (error) {
    span.end(endOf(error))
    throw error
  }
}

/** Describes an error by its code alone: messages may quote what a caller sent. */
export function endOf(error: unknown): SpanEnd {
  if (error instanceof OperationError) return { code: error.code, failed: error.status >= 500 }
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const isCode = typeof code === 'string' && /^\w{1,40}$/.test(code)
  return { code: isCode ? code : 'error', failed: true }
}

/** Attributes of a call over NATS. */
export function callAttributes(subject: string): Attributes {
  const [service = ''] = subject.split('.', 1)
  return { 'rpc.system': 'nats', 'rpc.service': service, 'rpc.method': subject.slice(service.length + 1) }
}
