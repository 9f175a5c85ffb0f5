import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import type { FastifyInstance } from 'fastify'
import { configOf } from '../ground/route-config.js'
import type { PassThrough } from '../pass-through/pass-through.js'
import { forwarder, type Forwarding } from './forward.js'

/** Routes for which Bearing has no data. */
const WITHOUT_DATA: ReadonlySet<RouteName> = new Set(['findLatestRelease', 'findLatestReleaseUrl'])

/**
 * Adds every route of the table that has no controller of its own. Directly to Fastify: Nest's layers around a controller
 * cost more than the handler.
 */
export function forwardRoutes(
  server: FastifyInstance,
  forwarding: Forwarding,
  passThrough: PassThrough,
): void {
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][])
    if (!route.hasController) {
      const forward = forwarder(route, forwarding)
      server.route({
        method: route.method,
        url: route.path,
        config: configOf(name),
        handler: WITHOUT_DATA.has(name) ? passThrough.before(forward) : forward,
      })
    }
}
