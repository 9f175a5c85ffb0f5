import { audienceOf, needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Method, type Route, type RouteName } from '@bearing/contracts/routes'
import { RequestMapping, RequestMethod, applyDecorators } from '@nestjs/common'
import { RouteConfig as FastifyRouteConfig } from '@nestjs/platform-fastify'
import type { RouteConfig } from '../ground/route-config.js'

const METHODS: Readonly<Record<Method, RequestMethod>> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  DELETE: RequestMethod.DELETE,
}

/** What the Fastify route of a line of the table is configured with. */
export function configOf(name: RouteName): RouteConfig {
  const { device, legacyTokens, dialect, signedAddress, operation, path }: Route = ROUTES[name]
  const open = !needsClaims(operation.permission)
  return {
    name,
    device,
    open,
    legacyTokens,
    dialect,
    signedAddress,
    // The gateway stores such a request itself.
    audience: open || operation.stored ? undefined : audienceOf(operation),
    hasOrganization: path.includes('/:organization'),
  }
}

/** Makes a method of a controller answer a line of the route table. */
export function HandleRoute(name: RouteName): MethodDecorator {
  const route: Route = ROUTES[name]
  return applyDecorators(
    RequestMapping({ path: route.path, method: METHODS[route.method] }),
    FastifyRouteConfig(configOf(name)),
  )
}
