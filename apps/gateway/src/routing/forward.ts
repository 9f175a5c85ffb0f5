import { refusal } from '@bearing/access/authorize'
import { OperationError } from '@bearing/contracts/errors'
import type { Permission } from '@bearing/contracts/permission'
import type { Route } from '@bearing/contracts/routes'
import type { NatsClient } from '@bearing/nats/client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Address, AddressBook } from '../address/address-book.js'
import type { Caller } from '../authentication/authenticator.js'
import { inputReader } from './read-input.js'

/** Answers a request of one route. */
export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * The way of an authenticated request: resolve the address, authorize, forward, render.
 *
 * @throws Error where the route has no permission: it would be open to everybody, so the gateway does not start
 */
export function forwarder(route: Route, addresses: AddressBook, client: NatsClient): Forward {
  const { operation } = route
  const { permission } = operation
  if (permission === 'internal') throw new Error(`the route ${route.method} ${route.path} has no permission`)
  const readInput = inputReader(route)
  const hasOrganization = route.path.includes('/:organization')
  const hasProject = route.path.includes('/:project')

  return async (request, reply) => {
    const caller = callerOf(request)
    let address: Address | undefined
    if (hasOrganization) {
      const { organization = '', project } = request.params as Record<string, string> // Fastify's own parser
      address = await addresses.find(organization, hasProject ? project : undefined)
      if (address.organization_id) request.organizationId = address.organization_id
    }
    authorize(caller, permission, address)
    const input = readInput(request, address)
    const output = await callService(() =>
      client.call(operation, input, {
        claims: caller.claims,
        requestId: request.id,
        clientAddress: request.ip,
        traceparent: traceparentOf(request),
      }),
    )
    const body = route.envelope === 'data' ? { data: output } : output
    void reply.code(route.status).header('content-type', 'application/json').send(JSON.stringify(body))
  }
}

function callerOf(request: FastifyRequest): Caller {
  // Deny by default: a route that some mistake left without a guard answers nobody.
  if (!request.caller) throw new Error('the request was not authenticated')
  return request.caller
}

function authorize(caller: Caller, permission: Permission, address: Address | undefined): void {
  const refused = refusal(caller.principal, permission, address ?? {})
  if (refused) throw new OperationError(refused.code, refused.message)
}

/** A service that refuses our claims says nothing about the caller's credential: devices throw theirs away on 401. */
async function callService(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof OperationError && error.status === 401)
      throw new OperationError(
        'service_unavailable',
        'A part of the service cannot verify who is asking at the moment. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    throw error
  }
}

function traceparentOf(request: FastifyRequest): string | undefined {
  const header = request.headers['traceparent']
  return typeof header === 'string' && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(header)
    ? header
    : undefined
}
