import { startTrace } from '@bearing/nats/tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientTraceOf, unrecordedTraceOf } from '../ground/origin.js'

/**
 * Begins the trace of a request, or none. The gateway alone decides, by chance: a client can neither have a request recorded nor
 * add it to a trace of its choice. The client's own context becomes a link.
 */
export class RequestTraces {
  /** @param share of requests that are recorded, from 0 to 1 */
  constructor(
    private readonly share: number,
    private readonly chance: () => number = Math.random,
  ) {}

  /** Sets the trace context of a request. */
  begin(request: FastifyRequest): void {
    const client = clientTraceOf(request.headers['traceparent'])
    const span =
      this.chance() < this.share
        ? startTrace({
            name: request.method,
            kind: 'server',
            link: client,
            attributes: { 'http.request.method': request.method },
          })
        : undefined
    request.traceparent = span?.traceparent ?? unrecordedTraceOf(client)
    if (!span) return
    request.span = span
    if (client !== undefined) request.clientTrace = client
  }

  /** Ends the span of a request. It names the route, never the URL: clients have sent credentials in URLs. */
  end({ span, route, method, organizationId }: FastifyRequest, { raw, statusCode }: FastifyReply): void {
    const path = route?.path
    span?.end({
      name: path === undefined ? method : `${method} ${path}`,
      failed: statusCode >= 500,
      ...(statusCode >= 400 && { code: String(statusCode) }),
      attributes: {
        'http.response.status_code': statusCode,
        ...(path !== undefined && { 'http.route': path }),
        ...(organizationId !== undefined && { 'bearing.organization_id': organizationId }),
        ...(!raw.writableFinished && { 'bearing.aborted': 1 }),
      },
    })
  }
}
