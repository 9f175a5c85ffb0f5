import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { Controller, Req, Res, type Type } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forwarding, forwarder, type Forward } from './forward.js'
import { HandleRoute } from './handle-route.js'

/** One Nest controller for each line of the route table, apart from those that have one by hand. */
export function routeControllers(): Type[] {
  return (Object.entries(ROUTES) as [RouteName, Route][])
    .filter(([, { byHand }]) => !byHand)
    .map(([name, route]) => routeController(name, route))
}

function routeController(name: RouteName, route: Route): Type {
  class RouteController {
    private readonly forward: Forward

    constructor(forwarding: Forwarding) {
      this.forward = forwarder(route, forwarding)
    }

    handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      return this.forward(request, reply)
    }
  }
  // Decorators are applied by hand, since the class is made for a line of the table.
  const descriptor = Object.getOwnPropertyDescriptor(RouteController.prototype, 'handle')
  if (!descriptor) throw new Error('unreachable: the class above has the method')
  Req()(RouteController.prototype, 'handle', 0)
  Res()(RouteController.prototype, 'handle', 1)
  HandleRoute(name)(RouteController.prototype, 'handle', descriptor)
  Reflect.defineMetadata('design:paramtypes', [Forwarding], RouteController)
  Controller()(RouteController)
  Object.defineProperty(RouteController, 'name', { value: `${name}Route` })
  return RouteController
}
