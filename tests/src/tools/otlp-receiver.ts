import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
}
interface Attribute {
  readonly key: string
  readonly value: Value
}

/** A request of OTLP/HTTP as JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly name: string
        readonly kind: number
        readonly attributes: readonly Attribute[]
        readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
        readonly status?: { readonly code?: number }
      }[]
    }[]
  }[]
}

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  /** Undefined: it began the trace. */
  readonly parent: string | undefined
  readonly name: string
  readonly kind: 'server' | 'client' | 'producer' | 'other'
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  /** Trace ids that it refers to. */
  readonly links: readonly string[]
  readonly hasFailed: boolean
}

const KINDS: Readonly<Record<number, ReceivedSpan['kind']>> = { 2: 'server', 3: 'client', 4: 'producer' }

/** A collector of OpenTelemetry traces: OTLP/HTTP with JSON, on this machine. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = []
  /** Bodies of the requests, as they came. */
  readonly bodies: string[] = []
  readonly headers: IncomingHttpHeaders[] = []
  /** True if it takes requests and never answers. */
  hangs = false

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        if (this.hangs) return
        if (request.method !== 'POST' || request.url !== '/v1/traces') {
          response.writeHead(404).end()
          return
        }
        this.bodies.push(body)
        this.headers.push(request.headers)
        this.spans.push(...spansOf(JSON.parse(body) as Sent)) // the SDK writes it
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new OtlpReceiver(server)
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}

function spansOf({ resourceSpans }: Sent): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(read(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service,
        traceId: span.traceId,
        spanId: span.spanId,
        parent: span.parentSpanId || undefined,
        name: span.name,
        kind: KINDS[span.kind] ?? 'other',
        attributes: read(span.attributes),
        links: (span.links ?? []).map(({ traceId }) => traceId),
        hasFailed: span.status?.code === 2,
      })),
    )
  })
}

function read(attributes: readonly Attribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? doubleValue : Number(intValue)),
    ]),
  )
}
