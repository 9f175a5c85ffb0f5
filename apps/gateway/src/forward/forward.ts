import { OperationError } from '@bearing/contracts/errors'
import type { Route } from '@bearing/contracts/routes'
import { NatsClient, type CallOptions } from '@bearing/nats/client'
import { Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AddressBook } from '../authorize/scope-resolver.js'
import { Admission } from '../authenticate/admission.js'
import { Authorization, authorizedOf, type Authorized } from '../authorize/authorization.js'
import { originOf } from '../ground/origin.js'
import { inputReader, takesBody, unreadInput } from './read-input.js'
import { streamLines, type Part } from './stream-lines.js'

/** What requests are forwarded with. */
@Injectable()
export class Forwarding {
  constructor(
    readonly addresses: AddressBook,
    readonly client: NatsClient,
    private readonly admission: Admission,
    private readonly authorization: Authorization,
  ) {}

  /**
   * Authenticates and authorizes a request again: a reply in parts can take longer than its claims or its credential are valid.
   *
   * @throws OperationError if the caller may not read the next part
   */
  async renew(request: FastifyRequest): Promise<void> {
    await this.admission.identify(request)
    await this.authorization.authorize(request)
  }
}

/** Answers a request of one route. */
export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Calls the operation of a route, for a request.
 *
 * @param more input that is the gateway's to say, over what came with the request
 */
export type RouteCall = (
  request: FastifyRequest,
  more?: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/** Answers requests that are authorized: forwards them to the operation of the route, and renders its reply. */
export function forwarder(route: Route, forwarding: Forwarding): Forward {
  if (route.operation.batched && takesBody(route) && !route.stream) return unreadForwarder(route, forwarding)
  const call = routeCall(route, forwarding)
  const readPart = async (request: FastifyRequest, cursor: string | undefined): Promise<Part> => {
    if (cursor === undefined) return (await call(request)) as Part // what operations of streams give, as the table says
    await forwarding.renew(request)
    return (await call(request, { cursor })) as Part // as above
  }
  if (route.stream)
    return (request, reply) => streamLines(request, reply, (cursor) => readPart(request, cursor))
  return async (request, reply) => {
    render(reply, route, await call(request))
  }
}

/** The same without reading what the caller sends and what the service answers: both are JSON, and read where they are used. */
function unreadForwarder(route: Route, forwarding: Forwarding): Forward {
  const { operation } = route
  return async (request, reply) => {
    const authorized = authorizedOf(request, operation.permission)
    const input = unreadInput(route, request, authorized.address)
    const options = callOptions(request, authorized)
    renderJson(
      reply,
      route,
      await callService(authorized, () => forwarding.client.handOn(operation, input, options)),
    )
  }
}

/** The same up to what the operation gives, for controllers by hand. */
export function routeCall(route: Route, forwarding: Forwarding): RouteCall {
  const { operation } = route
  const readInput = inputReader(route)
  return async (request, more) => {
    const authorized = authorizedOf(request, operation.permission)
    const input = { ...readInput(request, authorized.address), ...more }
    const options = callOptions(request, authorized)
    return callService(authorized, () => forwarding.client.call(operation, input, options))
  }
}

function callOptions(request: FastifyRequest, { claims }: Authorized): CallOptions {
  return { ...originOf(request), claims }
}

/** Sends what an operation gave, as its route says. */
export function render(reply: FastifyReply, route: Route, output: unknown): void {
  renderJson(reply, route, JSON.stringify(output))
}

/** The same of what is JSON already. */
function renderJson(reply: FastifyReply, route: Route, output: string): void {
  if (output === 'null' && route.mayBeEmpty) {
    void reply.code(204).send()
    return
  }
  const body = route.envelope === 'data' ? `{"data":${output}}` : output
  void reply.code(route.status).header('content-type', 'application/json').send(body)
}

/** A service that refuses our claims says nothing about the caller's credential: devices erase theirs on 401. */
async function callService<Given>({ caller }: Authorized, call: () => Promise<Given>): Promise<Given> {
  try {
    return await call()
  } catch (error) {
    // Without claims the 401 is about what the caller has sent.
    if (caller && error instanceof OperationError && error.status === 401)
      throw new OperationError(
        'service_unavailable',
        'A part of the service cannot verify who is asking at the moment. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    throw error
  }
}
