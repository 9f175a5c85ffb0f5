import { ROUTES, type Method, type RouteName } from '@bearing/contracts/routes'
import { RequestMapping, RequestMethod, applyDecorators } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import { configOf } from '../ground/route-config.js'

const METHODS: Readonly<Record<Method, RequestMethod>> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
}

/** Makes a method of a controller handle a route of the table. */
export function HandleRoute(name: RouteName): MethodDecorator {
  const { path, method } = ROUTES[name]
  return applyDecorators(RequestMapping({ path, method: METHODS[method] }), RouteConfig(configOf(name)))
}
