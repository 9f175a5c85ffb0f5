import type { Logger } from '@bearing/service/logger'
import type { Metrics } from '@bearing/service/metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestFields } from '../ground/request-fields.js'

/** Records a request whose reply was sent, or whose client is gone. */
export type RequestLog = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Returns the log that writes one line for each request, and counts it. The line contains the name of the route, never the
 * URL: clients have sent credentials in URLs.
 */
export function requestLog(logger: Logger, metrics: Metrics): RequestLog {
  return (request, reply) => {
    const route = request.route?.name ?? 'none'
    const aborted = !reply.raw.writableFinished
    metrics.called(`http.${route}`, aborted ? 'aborted' : String(reply.statusCode), reply.elapsedTime)
    if (logger.isLevelEnabled('info'))
      logger.info({ ...fields(request, reply, route), ...(aborted && { aborted }) }, 'request')
  }
}

function fields(request: FastifyRequest, reply: FastifyReply, route: string): Record<string, unknown> {
  return {
    ...requestFields(request),
    method: request.method,
    route,
    ...(request.clientTrace !== undefined && { client_trace_id: request.clientTrace.split('-')[1] }),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    client: request.ip,
  }
}
