import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Method, type Route, type RouteName } from '@bearing/contracts/routes'
import { RequestMapping, RequestMethod, applyDecorators } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'

const METHODS: Readonly<Record<Method, RequestMethod>> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  DELETE: RequestMethod.DELETE,
}

/** Makes a method of a controller answer a line of the route table. */
export function HandleRoute(name: RouteName): MethodDecorator {
  const route: Route = ROUTES[name]
  const { device, legacyTokens, dialect } = route
  return applyDecorators(
    RequestMapping({ path: route.path, method: METHODS[route.method] }),
    RouteConfig({ name, device, open: !needsClaims(route.operation.permission), legacyTokens, dialect }),
  )
}
