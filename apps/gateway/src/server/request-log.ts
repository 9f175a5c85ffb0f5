import { CALL_FIELDS, linesOf, type Logger } from '@bearing/service/observe/logger'
import type { Metrics } from '@bearing/service/observe/metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestFields } from '../ground/request-fields.js'

/** Records a request whose reply was sent, or whose client is gone. */
export type RequestLog = (request: FastifyRequest, reply: FastifyReply) => void

const FIELDS = [
  ...CALL_FIELDS,
  ...['method', 'route', 'client_trace_id', 'status', 'duration_ms', 'client', 'aborted'],
] as const

/**
 * Returns the log that writes one line for each request, and counts it. The line contains the name of the route, never the
 * URL: clients have sent credentials in URLs.
 */
export function requestLog(logger: Logger, metrics: Metrics): RequestLog {
  const write = linesOf('gateway', 'request', FIELDS)
  return (request, reply) => {
    const route = request.route?.name ?? 'none'
    const aborted = !reply.raw.writableFinished
    const durationMs = reply.elapsedTime
    metrics.called(`http.${route}`, aborted ? 'aborted' : String(reply.statusCode), durationMs)
    if (!logger.isLevelEnabled('info')) return
    const { method, ip: client, clientTrace } = request
    const { request_id, trace_id, organization_id, principal, credential_id, caller } = requestFields(request)
    write({
      request_id,
      trace_id,
      organization_id,
      principal,
      credential_id,
      caller,
      method,
      route,
      client,
      status: reply.statusCode,
      client_trace_id: clientTrace?.split('-')[1],
      duration_ms: Math.round(durationMs * 100) / 100,
      aborted: aborted || undefined,
    })
  }
}
