import type { Logger } from '@bearing/service/logger'
import type { Metrics } from '@bearing/service/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RouteConfig } from './routing/route-config.js'

/**
 * Writes one line for each request, and counts it. The line has the route as the table has it, never the URL: clients
 * have been seen to put credentials there.
 */
export function logRequests(server: FastifyInstance, logger: Logger, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { name } = request.routeOptions.config as unknown as Partial<RouteConfig> // set for every route of the table
    const route = name ?? 'none'
    metrics.called(`http.${route}`, String(reply.statusCode), reply.elapsedTime)
    if (logger.isLevelEnabled('info')) logger.info(fields(request, reply, route), 'request')
    done()
  })
}

function fields(request: FastifyRequest, reply: FastifyReply, route: string): Record<string, unknown> {
  const principal = request.caller?.principal
  return {
    request_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    client: request.ip,
    ...(request.organizationId && { organization_id: request.organizationId }),
    ...(principal &&
      principal.kind !== 'service' && { principal: principal.kind, credential_id: principal.credential_id }),
  }
}
