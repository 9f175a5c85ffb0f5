import type { Logger } from '@bearing/service/logger'
import type { Metrics } from '@bearing/service/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestFields } from '../ground/request-fields.js'
import type { RouteConfig } from '../ground/route-config.js'

/**
 * Writes one line for each request, and counts it. The line has the route as the table has it, never the URL: clients
 * have been seen to put credentials there.
 */
export function logRequests(server: FastifyInstance, logger: Logger, metrics: Metrics): void {
  server.addHook('onRequest', (request, reply, next) => {
    // Fastify's own hook is not called where the client has gone before the end: those are looked for at night.
    reply.raw.once('close', () => {
      const { name } = request.routeOptions.config as unknown as Partial<RouteConfig> // set for every route of the table
      const route = name ?? 'none'
      const aborted = !reply.raw.writableFinished
      metrics.called(`http.${route}`, aborted ? 'aborted' : String(reply.statusCode), reply.elapsedTime)
      if (logger.isLevelEnabled('info'))
        logger.info({ ...fields(request, reply, route), ...(aborted && { aborted }) }, 'request')
    })
    next()
  })
}

function fields(request: FastifyRequest, reply: FastifyReply, route: string): Record<string, unknown> {
  return {
    ...requestFields(request),
    method: request.method,
    route,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    client: request.ip,
  }
}
