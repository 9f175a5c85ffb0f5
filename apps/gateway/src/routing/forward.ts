import { refusal } from '@bearing/access/authorize'
import { OperationError } from '@bearing/contracts/errors'
import { RefusalRule } from '@bearing/contracts/identity/audit-log'
import { needsClaims } from '@bearing/contracts/operation'
import type { Permission } from '@bearing/contracts/permission'
import type { Route } from '@bearing/contracts/routes'
import { NatsClient } from '@bearing/nats/client'
import { Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AddressBook, type Address } from '../address/address-book.js'
import { AccessRefusals } from '../authentication/access-refusals.js'
import { Admission } from '../authentication/admission.js'
import type { Caller } from '../authentication/authenticator.js'
import { originOf } from './origin.js'
import { inputReader, takesBody, unreadInput } from './read-input.js'
import { streamLines, type Part } from './stream-lines.js'

/** What requests are forwarded with. */
@Injectable()
export class Forwarding {
  constructor(
    readonly addresses: AddressBook,
    readonly client: NatsClient,
    readonly admission: Admission,
    readonly refusals: AccessRefusals,
  ) {}
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

/** The way of a request whose caller is known, or need not be: resolve the address, authorize, forward, render. */
export function forwarder(route: Route, forwarding: Forwarding): Forward {
  if (route.operation.batched && takesBody(route) && !route.stream) return unreadForwarder(route, forwarding)
  const call = routeCall(route, forwarding)
  /** A stream may outlast its claims, and the credential: who is asking is asked again for every part of it. */
  const readPart = async (request: FastifyRequest, cursor: string | undefined): Promise<Part> => {
    if (cursor === undefined) return (await call(request)) as Part // what operations of streams give, as the table says
    await forwarding.admission.identify(request)
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
  const admit = gateOf(route, forwarding)
  return async (request, reply) => {
    const { caller, address } = await admit(request)
    const options = { ...originOf(request), claims: caller?.claims }
    const input = unreadInput(route, request, address)
    const call = () => forwarding.client.handOn(route.operation, input, options)
    renderJson(reply, route, await (caller ? callService(call) : call()))
  }
}

/**
 * The same up to what the operation gives, for controllers by hand.
 *
 * @throws Error where the route has no permission: it would be open to everybody, so the gateway does not start
 */
export function routeCall(route: Route, forwarding: Forwarding): RouteCall {
  const { operation } = route
  const admit = gateOf(route, forwarding)
  const readInput = inputReader(route)
  return async (request, more) => {
    const { caller, address } = await admit(request)
    const input = { ...readInput(request, address), ...more }
    const options = { ...originOf(request), claims: caller?.claims }
    const call = () => forwarding.client.call(operation, input, options)
    // Without claims there are none to refuse: what is 401 then is about what the caller has sent.
    return caller ? callService(call) : call()
  }
}

/** Who may call the operation of a route, and where. */
interface Admitted {
  /** Undefined where nobody has to say who they are. */
  readonly caller: Caller | undefined
  readonly address: Address | undefined
}

/** Resolves the address of a request, and refuses who may not call the operation there. */
function gateOf(
  route: Route,
  { addresses, refusals }: Forwarding,
): (request: FastifyRequest) => Promise<Admitted> {
  const { permission } = route.operation
  if (permission === 'internal') throw new Error(`the route ${route.method} ${route.path} has no permission`)
  const hasOrganization = route.path.includes('/:organization')
  const hasProject = route.path.includes('/:project')

  return async (request) => {
    const caller = needsClaims(permission) ? callerOf(request) : undefined
    let address = route.device && !hasOrganization ? projectOf(caller) : undefined
    if (hasOrganization) {
      const { organization = '', project } = request.params as Record<string, string> // Fastify's own parser
      address = await addresses.find(organization, hasProject ? project : undefined, originOf(request))
      if (address.organization_id) request.organizationId = address.organization_id
    } else if (route.device && !address && route.dialect === 'bearing') throw projectKeyRequired()
    if (caller && needsClaims(permission))
      authorize(caller, permission, address, (rule, organizationId) => {
        refusals.note(rule, organizationId, caller.principal, request)
      })
    return { caller, address }
  }
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

function projectKeyRequired(): OperationError {
  return new OperationError(
    'project_key_required',
    'This address is for devices, which send a project key. It says which project is meant.',
  )
}

function callerOf(request: FastifyRequest): Caller {
  // Deny by default: a route that some mistake left without a guard answers nobody.
  if (!request.caller) throw new Error('the request was not authenticated')
  return request.caller
}

/** The project of a project key; nobody else is of one project. */
function projectOf(caller: Caller | undefined): Address | undefined {
  if (caller?.principal.kind !== 'project_key') return undefined
  const { organization_id, project_id } = caller.principal
  return { organization_id, project_id }
}

function authorize(
  caller: Caller,
  permission: Permission,
  address: Address | undefined,
  refusedByRule: (rule: RefusalRule, organizationId: string) => void,
): void {
  const refused = refusal(caller.principal, permission, address ?? {})
  if (!refused) return
  const rule = RefusalRule.safeParse(refused.code)
  if (rule.success && address?.organization_id) refusedByRule(rule.data, address.organization_id)
  throw new OperationError(refused.code, refused.message)
}

/** A service that refuses our claims says nothing about the caller's credential: devices throw theirs away on 401. */
async function callService<Given>(call: () => Promise<Given>): Promise<Given> {
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
