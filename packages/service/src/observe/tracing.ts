import { traceWith } from '@bearing/nats/tracing'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'
import type { SERVICE_SETTINGS } from '../ground/service-settings.js'
import type { Values } from '../ground/settings.js'

type Settings = Pick<
  Values<typeof SERVICE_SETTINGS>,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS'
>

/** Time limit for the last spans to leave at shutdown, in milliseconds. */
const LAST_MS = 2_000

let close: (() => Promise<void>) | undefined
let processName: string | undefined

/** Gives traces one name where a process has several services. */
export function traceAs(name: string): void {
  processName = name
}

/** Records the spans of this process, and sends them to the collector that the settings name. Loads nothing if there is none. */
export async function startTracing(
  name: string,
  settings: Settings,
  metrics: Metrics,
  logger: Logger,
): Promise<void> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === '' || close) return
  // Until it is loaded, so that another service of the process does not begin too.
  close = () => Promise.resolve()
  const { OtlpTracer } = await import('./otlp-tracer.js')
  const tracer = new OtlpTracer(
    {
      service: processName ?? `bearing-${name}`,
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    },
    metrics,
    logger,
  )
  traceWith(tracer)
  close = () => tracer.close(LAST_MS)
}

/** Sends the spans that wait, for a short time. Never rejects. */
export async function stopTracing(): Promise<void> {
  traceWith(undefined)
  await close?.()
}
