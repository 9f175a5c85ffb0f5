import type { readScim, writeScim } from '@bearing/contracts/identity/sso/scim'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import { readJsonObject } from '@bearing/nats/json-object'
import { OperationError } from '@bearing/contracts/errors'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SameOriginCheck } from '../authenticate/browser/same-origin.js'
import { authorizedOf } from '../authorize/authorization.js'
import { Forwarding, callWith } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { isJson } from '../forward/read-input.js'

type Reply = Output<typeof readScim> | Output<typeof writeScim>
type ScimRoute = Extract<RouteName, `${string}Scim`>

/** `/scim/v2/organizations/<organization>/<connection>`: users and groups that an identity provider pushes (RFC 7644). */
@Controller()
export class ScimRoutes {
  constructor(
    private readonly forwarding: Forwarding,
    private readonly sameOrigin: SameOriginCheck,
  ) {}

  @HandleRoute('listScim')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.read('listScim', request, reply)
  }

  @HandleRoute('showScim')
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.read('showScim', request, reply)
  }

  @HandleRoute('createScim')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.write('createScim', request, reply)
  }

  @HandleRoute('replaceScim')
  replace(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.write('replaceScim', request, reply)
  }

  @HandleRoute('patchScim')
  patch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.write('patchScim', request, reply)
  }

  @HandleRoute('deleteScim')
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.write('deleteScim', request, reply)
  }

  private async read(name: ScimRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const found = await this.call(name, request, request.query as object) // Fastify's own parser
    const { 'if-none-match': known } = request.headers
    if (found.etag !== undefined && known === found.etag)
      void reply.code(304).header('etag', found.etag).send()
    else send(reply, 200, found)
  }

  private async write(name: ScimRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { method, headers } = request
    const body = method === 'DELETE' ? undefined : bodyOf(request)
    const { dry_run } = request.query as Record<string, unknown> // Fastify's own parser
    const isDry = dry_run === 'true'
    const more = { method, if_match: headers['if-match'], body, ...(isDry && { dry_run: true }) }
    const found = await this.call(name, request, more)
    if (isDry) {
      send(reply, 200, found)
      return
    }
    const { meta } = found.resource ?? {}
    if (method === 'POST') void reply.header('location', (meta as { location: string }).location) // of identity
    send(reply, ROUTES[name].status, found)
  }

  private call(name: ScimRoute, request: FastifyRequest, more: object): Promise<Reply> {
    const route = ROUTES[name]
    const { connection_id, resource, resource_id, organization } = request.params as Record<string, string> // of the route's path
    const { scope } = authorizedOf(request, route.operation.permission)
    const base_url = `${this.sameOrigin.originFor(request)}/scim/v2/organizations/${organization ?? ''}/${connection_id ?? ''}`
    const input = {
      ...more,
      ...{ organization_id: scope?.organization_id, connection_id, resource, base_url },
      ...(resource_id !== undefined && { resource_id }),
    }
    return callWith(route, this.forwarding, request, input) as Promise<Reply> // validated
  }
}

function bodyOf({ body, headers }: FastifyRequest): object {
  if (!isJson(headers['content-type'] ?? 'application/json'))
    throw new OperationError('unsupported_media_type', 'Send the body as application/scim+json.')
  return readJsonObject((body as Buffer | undefined) ?? Buffer.alloc(0)) // the only content type parser keeps the bytes
}

function send(reply: FastifyReply, status: number, { resource, etag }: Reply): void {
  void reply.code(status).headers({ 'cache-control': 'no-store', ...(etag !== undefined && { etag }) })
  if (resource === null) void reply.send()
  else void reply.header('content-type', 'application/scim+json').send(JSON.stringify(resource))
}
