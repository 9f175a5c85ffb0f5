import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '@bearing/contracts/version'
import type { Attributes, Span, SpanEnd, SpanStart, Tracer } from '@bearing/nats/tracing'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Span as SdkSpan,
  type SpanContext,
  type Tracer as SdkTracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'
import { SpanQueue } from './span-queue.js'
import { warnSeldom } from './warn-seldom.js'

/** Destination of spans, and the process that they are of. */
export interface OtlpOptions {
  /** Name of the process, such as `bearing-gateway`. */
  readonly service: string
  /** Base URL of the collector; spans go to `v1/traces` below it. */
  readonly endpoint: string
  /** Headers of each request to it; secret. */
  readonly headers: Readonly<Record<string, string>>
}

/** Time limit of one request to the collector, repetitions included, in milliseconds. */
const EXPORT_MS = 10_000
const MOST_CHARACTERS = 256
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER } as const

/**
 * Sends spans to an OpenTelemetry collector over OTLP/HTTP. Only this file and {@link SpanQueue} import OpenTelemetry: everything
 * else uses `@bearing/nats/tracing`.
 */
export class OtlpTracer implements Tracer {
  private readonly provider: TracerProvider
  private readonly tracer: SdkTracer

  constructor({ service, endpoint, headers }: OtlpOptions, metrics: Metrics, logger: Logger) {
    const exporter = new OTLPTraceExporter({
      url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href,
      headers: { ...headers },
      timeoutMillis: EXPORT_MS,
    })
    const spans = metrics.counter(
      'bearing_trace_spans_total',
      'Spans by outcome (exported, failed: the collector did not take them, dropped: too many waited).',
      ['outcome'],
    )
    const failed = warnSeldom(logger, 'traces cannot be sent: look at OTEL_EXPORTER_OTLP_ENDPOINT')
    this.provider = new TracerProvider({
      // Spans that are not sampled are not begun.
      sampler: new AlwaysOnSampler(),
      spanLimits: { attributeValueLengthLimit: MOST_CHARACTERS },
      resource: resourceOf(service),
      spanProcessors: [
        new SpanQueue(exporter, (outcome, count, error) => {
          spans.inc({ outcome }, count)
          if (error !== undefined) failed(error)
        }),
      ],
    })
    this.tracer = this.provider.getTracer('bearing', VERSION)
  }

  start({ name, kind, parent, link, attributes }: SpanStart): Span {
    const refersTo = contextOf(link)
    const belongsTo = contextOf(parent)
    const span = this.tracer.startSpan(
      name,
      {
        kind: KINDS[kind],
        attributes,
        ...(refersTo && { links: [{ context: refersTo }] }),
      },
      belongsTo ? trace.setSpanContext(ROOT_CONTEXT, belongsTo) : ROOT_CONTEXT,
    )
    return new RecordedSpan(span)
  }

  /** Sends what waits, for so many milliseconds at most. Never rejects. */
  async close(withinMs: number): Promise<void> {
    const done = new AbortController()
    const late = sleep(withinMs, undefined, { signal: done.signal })
    await Promise.race([this.provider.shutdown(), late]).catch(() => undefined)
    done.abort()
    await late.catch(() => undefined)
  }
}

class RecordedSpan implements Span {
  readonly traceparent: string

  constructor(private readonly span: SdkSpan) {
    const { traceId, spanId } = span.spanContext()
    this.traceparent = `00-${traceId}-${spanId}-01`
  }

  end({ name, code, failed, attributes }: SpanEnd = {}): void {
    if (name !== undefined) this.span.updateName(name)
    if (attributes) this.span.setAttributes(attributes)
    if (code !== undefined) this.span.setAttribute('error.type', code)
    if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR })
    this.span.end()
  }
}

/** Reads a trace context that was checked before. */
function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

/** `OTEL_RESOURCE_ATTRIBUTES` adds what only the operator knows, such as the environment. */
function resourceOf(service: string) {
  const own: Attributes = {
    'service.name': service,
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
  }
  return defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(own))
}
