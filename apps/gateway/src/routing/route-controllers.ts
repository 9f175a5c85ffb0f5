import { ROUTES, type Method, type Route, type RouteName } from '@bearing/contracts/routes'
import { NatsClient } from '@bearing/nats/client'
import { Controller, Req, RequestMapping, RequestMethod, Res, type Type } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AddressBook } from '../address/address-book.js'
import { forwarder, type Forward } from './forward.js'

const METHODS: Readonly<Record<Method, RequestMethod>> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  DELETE: RequestMethod.DELETE,
}

/** One Nest controller for each line of the route table. */
export function routeControllers(): Type[] {
  return (Object.entries(ROUTES) as [RouteName, Route][]).map(([name, route]) => routeController(name, route))
}

function routeController(name: RouteName, route: Route): Type {
  class RouteController {
    private readonly forward: Forward

    constructor(addresses: AddressBook, client: NatsClient) {
      this.forward = forwarder(route, addresses, client)
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
  RequestMapping({ path: route.path, method: METHODS[route.method] })(
    RouteController.prototype,
    'handle',
    descriptor,
  )
  RouteConfig({ name, device: route.device })(RouteController.prototype, 'handle', descriptor)
  Reflect.defineMetadata('design:paramtypes', [AddressBook, NatsClient], RouteController)
  Controller()(RouteController)
  Object.defineProperty(RouteController, 'name', { value: `${name}Route` })
  return RouteController
}
