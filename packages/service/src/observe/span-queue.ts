import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'

interface Result {
  readonly code: number
  readonly error?: Error
}

/** Receives the outcome of spans. `error` says why they failed; it contains neither spans nor headers. */
export type Report = (outcome: 'exported' | 'failed' | 'dropped', count: number, error?: Error) => void

/** Spans that wait or are under way: some 2 MB. While the collector is away, newer ones are dropped. */
export const MOST_WAITING = 2_048
const BATCH = 512
const EVERY_MS = 2_000
const EXPORT_MS = 30_000

/**
 * Hands spans to an exporter in batches, in the background. Bounded: a collector that is slow or away costs spans, and never a
 * request.
 */
export class SpanQueue implements SpanProcessor {
  private readonly batches: BatchSpanProcessor
  private waiting = 0

  constructor(
    exporter: SpanExporter,
    private readonly report: Report,
  ) {
    this.batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => {
          exporter.export(spans, ({ code, error }: Result) => {
            this.waiting -= spans.length
            if (code === SUCCESS) report('exported', spans.length)
            else report('failed', spans.length, reasonOf(error))
            // They were counted here: the library would write to the console.
            done({ code: SUCCESS })
          })
        },
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: MOST_WAITING,
      maxExportBatchSize: BATCH,
      scheduledDelayMillis: EVERY_MS,
      exportTimeoutMillis: EXPORT_MS,
    })
  }

  onStart(): void {
    // Only spans that have ended are sent.
  }

  onEnd(span: ReadableSpan): void {
    if (this.waiting >= MOST_WAITING) {
      this.report('dropped', 1)
      return
    }
    this.waiting++
    this.batches.onEnd(span)
  }

  forceFlush(): Promise<void> {
    return this.batches.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.batches.shutdown()
  }
}

/** `ExportResultCode.SUCCESS` of `@opentelemetry/core`. */
const SUCCESS = 0

/** The error of the exporter may contain what the collector answered. */
function reasonOf(error: Error | undefined): Error {
  const code = error && 'code' in error ? ` ${String(error.code)}` : ''
  return new Error(`${error?.name ?? 'error'}${code}`)
}
