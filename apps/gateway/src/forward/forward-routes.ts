import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import type { FastifyInstance } from 'fastify'
import { configOf } from '../ground/route-config.js'
import { forwarder, type Forwarding } from './forward.js'

/**
 * Adds every route of the table that has no controller of its own. Directly to Fastify: Nest's layers around a controller
 * cost more than the handler.
 */
export function forwardRoutes(server: FastifyInstance, forwarding: Forwarding): void {
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][])
    if (!route.hasController)
      server.route({
        method: route.method,
        url: route.path,
        config: configOf(name),
        handler: forwarder(route, forwarding),
      })
}
