import { devicesNamedIn } from '@bearing/access/named-devices'
import { OperationError } from '@bearing/contracts/errors'
import type { Route } from '@bearing/contracts/routes'
import { NatsClient, type CallOptions } from '@bearing/nats/client'
import { readUnread, type UnreadInput } from '@bearing/nats/unread-input'
import { Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Admission } from '../authenticate/admission.js'
import { KeyUses } from '../authenticate/key-uses.js'
import { Authorization, authorizedOf, type Authorized } from '../authorize/authorization.js'
import { ScopeResolver } from '../authorize/scope-resolver.js'
import { RequestQuotas } from '../ground/limits/request-quotas.js'
import { originOf } from '../ground/origin.js'
import { Preconditions } from './preconditions.js'
import { fixedFields, inputReader, takesBody, unreadInput } from './read-input.js'
import { streamLines, type Part } from './stream-lines.js'

/** Longer texts are no serial of a device. */
const MAX_SERIAL_LENGTH = 1_024

/** Names the device of a look-up. */
const DEVICE_ID = '"device_id"'

/** Gives routes what they forward requests with. */
@Injectable()
export class Forwarding {
  constructor(
    readonly scopes: ScopeResolver,
    readonly client: NatsClient,
    private readonly admission: Admission,
    readonly authorization: Authorization,
    private readonly keyUses: KeyUses,
    private readonly quotas: RequestQuotas,
  ) {}

  /** Notes the devices that a request with a project key names. */
  noteDevices({ caller }: Authorized, input: Readonly<Record<string, unknown>>): void {
    if (caller?.principal.kind !== 'project_key') return
    for (const serial of devicesNamedIn(input))
      if (typeof serial === 'string' && serial.length <= MAX_SERIAL_LENGTH)
        this.keyUses.noteDevice(caller.principal.credential_id, serial)
  }

  /**
   * Notes the devices of a look-up. The gateway reads its body only if it was sent with a project key and names a device.
   *
   * @throws OperationError as {@link readUnread}, as the service would
   */
  noteUnread(authorized: Authorized, input: UnreadInput): void {
    if (authorized.caller?.principal.kind !== 'project_key') return
    const { buffer, byteOffset, length } = input.json
    if (Buffer.from(buffer, byteOffset, length).includes(DEVICE_ID))
      this.noteDevices(authorized, readUnread(input))
  }

  /**
   * Authenticates and authorizes a request again: a reply in parts can take longer than its claims or its credential are valid.
   *
   * @throws OperationError if the caller may not read the next part
   */
  async renew(request: FastifyRequest): Promise<void> {
    const { route } = request
    if (!route) throw new Error('unreachable: only routes of the table are forwarded')
    await this.admission.identify(request, route)
    await this.authorization.authorize(request, route)
  }

  /**
   * Counts each item of a list as a request of its own, and as several if it is larger than usual ({@link requestsFor}). The request
   * itself was counted when it was admitted.
   *
   * @throws LimitReached if a limit has no room for all of them
   */
  async countItems(items: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { caller, authorized } = request
    const organizationId = authorized?.scope?.organization_id
    if (!caller || !organizationId || !Array.isArray(items)) return
    const requests = items.reduce<number>((sum, item) => sum + requestsFor(item), 0)
    await this.quotas.countMore(caller.principal, request.ip, organizationId, requests - 1, reply)
  }
}

/** Access points of a scan that count as one request: as many as a device receives in a town. */
export const USUAL_READINGS = 20

/** Returns as how many requests a scan of a batch counts: what it costs grows with what it contains, known or not. */
function requestsFor(scan: unknown): number {
  if (typeof scan !== 'object' || scan === null) return 1
  const { accessPoints, previousScans } = scan as Readonly<Record<string, unknown>>
  const earlier = Array.isArray(previousScans) ? (previousScans as readonly unknown[]) : []
  const readings = [{ accessPoints }, ...earlier].reduce<number>((sum, part) => sum + lengthOf(part), 0)
  return Math.max(1, Math.ceil(readings / USUAL_READINGS))
}

function lengthOf(scan: unknown): number {
  if (typeof scan !== 'object' || scan === null || !('accessPoints' in scan)) return 0
  return Array.isArray(scan.accessPoints) ? scan.accessPoints.length : 0
}

/** Answers a request of one route. */
export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Calls the operation of a route for a request.
 *
 * @param more input that the gateway adds; it replaces fields of the request
 */
export type RouteCall = (
  request: FastifyRequest,
  more?: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/** Answers requests that are authorized: forwards them to the operation of the route, and renders its reply. */
export function forwarder(route: Route, forwarding: Forwarding): Forward {
  if (isUnread(route)) return unreadForwarder(route, forwarding)
  const call = routeCall(route, forwarding)
  const readPart = async (request: FastifyRequest, cursor: string | undefined): Promise<Part> => {
    if (cursor === undefined) return (await call(request)) as Part // the output of streamed operations
    await forwarding.renew(request)
    return (await call(request, { cursor })) as Part // as above
  }
  if (route.stream)
    return async (request, reply) => {
      await streamLines(request, reply, (cursor) => readPart(request, cursor))
      // Fastify sends an empty body if the handler ends before the first bytes of the stream were sent.
      await reply
    }
  const preconditions = new Preconditions(route, (reader) => readerCall(reader, forwarding))
  return async (request, reply) => {
    await preconditions.require(request)
    const output = await call(request)
    if (!preconditions.isUnchanged(request, reply, output)) render(reply, route, output)
  }
}

/** Returns whether the gateway forwards body and reply of a route as bytes: both are JSON, and only the service reads them. */
function isUnread(route: Route): boolean {
  const { batched, lenient } = route.operation
  return route.countsEach !== undefined || (batched && lenient === true && takesBody(route) && !route.stream)
}

/** Forwards the body and the reply as bytes. Only to count the items of a list the gateway reads the body, too. */
function unreadForwarder(route: Route, forwarding: Forwarding): Forward {
  const { operation, countsEach } = route
  return async (request, reply) => {
    const authorized = authorizedOf(request, operation.permission)
    const input = unreadInput(route, request, authorized.scope)
    if (countsEach !== undefined) await forwarding.countItems(readUnread(input)[countsEach], request, reply)
    const options = callOptions(request, authorized)
    forwarding.noteUnread(authorized, input)
    renderJson(
      reply,
      route,
      await callService(forwarding, request, () => forwarding.client.handOn(operation, input, options)),
    )
  }
}

/** Returns the call of a route's operation, for routes with a controller of their own. */
export function routeCall(route: Route, forwarding: Forwarding): RouteCall {
  const readInput = inputReader(route)
  return async (request, more) => {
    const authorized = authorizedOf(request, route.operation.permission)
    const input = { ...readInput(request, authorized.scope), ...more }
    forwarding.noteDevices(authorized, input)
    return callWith(route, forwarding, request, input)
  }
}

/** Calls the operation of a route with an input that was read before. */
export function callWith(
  { operation }: Route,
  forwarding: Forwarding,
  request: FastifyRequest,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const authorized = authorizedOf(request, operation.permission)
  const options = callOptions(request, authorized)
  return callService(forwarding, request, () => forwarding.client.call(operation, input, options))
}

/** Returns the call that reads what another route changes, with the claims of that one: the service checks the permission. */
function readerCall(reader: Route, forwarding: Forwarding): RouteCall {
  return async (request) => {
    const { authorized } = request
    if (!authorized?.claims) throw new Error('unreachable: only routes with claims have a reader')
    const { organization = '', project_slug: project } = request.params as Record<string, string> // Fastify's own parser
    const scope =
      project === undefined
        ? authorized.scope
        : await forwarding.scopes.resolve({ organization, project }, originOf(request))
    if (project !== undefined && !scope?.project_id)
      throw new OperationError('project_not_found', 'There is no such project.')
    const { project_slug: _, ...input } = fixedFields(reader, request, scope)
    const options = callOptions(request, authorized)
    return callService(forwarding, request, () => forwarding.client.call(reader.operation, input, options))
  }
}

function callOptions(request: FastifyRequest, { claims }: Authorized): CallOptions {
  return { ...originOf(request), claims }
}

/** Sends the output of an operation in the form that its route defines. */
export function render(reply: FastifyReply, route: Route, output: unknown): void {
  if (route.beside) {
    const body = JSON.stringify({ data: output, ...route.beside.from(output) })
    void reply.code(route.status).header('content-type', 'application/json').send(body)
  } else renderJson(reply, route, JSON.stringify(output), mediaOf(route, output))
}

function mediaOf({ geoJson }: Route, output: unknown): string {
  const isGeoJson = geoJson && typeof output === 'object' && output !== null && 'features' in output
  return isGeoJson ? 'application/geo+json' : 'application/json'
}

function renderJson(reply: FastifyReply, route: Route, output: string, media = 'application/json'): void {
  if (output === 'null' && route.mayBeEmpty) {
    void reply.code(204).send()
    return
  }
  const body = route.envelope === 'data' ? `{"data":${output}}` : route.envelope === 'empty' ? '{}' : output
  void reply.code(route.status).header('content-type', media).send(body)
}

/** Notes refusals of a service for the audit log, and turns its 401 about our claims into 503: devices erase their credential on 401. */
async function callService<Given>(
  forwarding: Forwarding,
  request: FastifyRequest,
  call: () => Promise<Given>,
): Promise<Given> {
  try {
    return await call()
  } catch (error) {
    const { caller, authorized } = request
    if (caller && authorized && error instanceof OperationError && error.code === 'permission_denied')
      forwarding.authorization.noteRefused(request, authorized.permission, error.code, authorized.scope)
    // Without claims the 401 is about the request itself.
    if (caller && error instanceof OperationError && error.status === 401)
      throw new OperationError(
        'service_unavailable',
        'A part of the service cannot verify the caller at the moment. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    throw error
  }
}
