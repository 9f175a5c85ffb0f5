import type { beginLink, beginSignOn, completeSignOn } from '@bearing/contracts/identity/sign-on'
import { OperationError } from '@bearing/contracts/errors'
import { Slug } from '@bearing/contracts/primitives'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AddressBook } from '../authorize/scope-resolver.js'
import { Forwarding, render, routeCall, type RouteCall } from '../forward/forward.js'
import { originOf } from '../ground/origin.js'
import { HandleRoute } from '../forward/handle-route.js'
import { OwnPages } from '../authenticate/browser/same-origin.js'
import { givenCookie, oneSession } from '../authenticate/browser/session-cookie.js'
import { givenSignOnCookie, signOnCookie, takenSignOnCookie } from './sign-on-cookie.js'

/** `GET /auth/sso?organization=…`: through the connection of an organization. */
@Controller()
export class FindSignOnRoute {
  private readonly call: RouteCall
  private readonly addresses: AddressBook

  constructor(
    forwarding: Forwarding,
    private readonly pages: OwnPages,
  ) {
    this.call = routeCall(ROUTES.findSignOn, forwarding)
    this.addresses = forwarding.addresses
  }

  @HandleRoute('findSignOn')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseHead(request, reply)
    this.pages.refuseSwitching(request)
    const { organization } = request.query as Record<string, unknown> // Fastify's own parser
    const { success, data: slug } = Slug.safeParse(organization)
    // Never from the cache: an anonymous caller could measure which organizations are in use.
    const address = success
      ? await this.addresses.resolve({ organization: slug, project: undefined }, originOf(request))
      : undefined
    const begun = (await this.call(request, {
      ...browserOf(request, this.pages),
      connection_id: undefined,
      organization_id: address?.organization_id ?? undefined,
    })) as Output<typeof beginSignOn> // identity has validated it
    sendToProvider(reply, begun)
  }
}

/** `GET /auth/sso/:connection_id/start`: through one connection. */
@Controller()
export class BeginSignOnRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly pages: OwnPages,
  ) {
    this.call = routeCall(ROUTES.beginSignOn, forwarding)
  }

  @HandleRoute('beginSignOn')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseHead(request, reply)
    this.pages.refuseSwitching(request)
    const begun = (await this.call(request, browserOf(request, this.pages))) as Output<typeof beginSignOn> // validated
    sendToProvider(reply, begun)
  }
}

/** `POST /auth/sso/:connection_id/link`: the page sends the browser there by itself. */
@Controller()
export class BeginLinkRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly pages: OwnPages,
  ) {
    this.call = routeCall(ROUTES.beginLink, forwarding)
  }

  @HandleRoute('beginLink')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const begun = (await this.call(request, browserOf(request, this.pages))) as Output<typeof beginLink> // validated
    const { browser = '', ...shown } = begun
    void reply.header('set-cookie', givenSignOnCookie(browser))
    render(reply, ROUTES.beginLink, shown)
  }
}

/** `GET /auth/sso/:connection_id/callback`: the way back from the provider. */
@Controller()
export class CompleteSignOnRoute {
  private readonly call: RouteCall

  constructor(forwarding: Forwarding) {
    this.call = routeCall(ROUTES.completeSignOn, forwarding)
  }

  @HandleRoute('completeSignOn')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseHead(request, reply)
    const { session_token = '', return_to } = (await this.call(request, {
      browser: signOnCookie(request.headers.cookie),
      user_agent: request.headers['user-agent'],
      replaces: oneSession(request),
    })) as Output<typeof completeSignOn> // validated
    void reply.header('set-cookie', [givenCookie(session_token), takenSignOnCookie()])
    redirect(reply, ROUTES.completeSignOn, return_to)
  }
}

/**
 * Fastify routes HEAD to the handler of GET. Here GET has effects: it stores a sign-on, or exchanges the code, and a link
 * scanner that sends HEAD must not use up the code.
 */
function refuseHead({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method !== 'HEAD') return
  void reply.header('allow', 'GET')
  throw new OperationError('method_not_allowed', 'HEAD is not allowed here; GET is.')
}

/** What only the gateway may say of a browser. */
function browserOf(request: FastifyRequest, pages: OwnPages) {
  return { origin: pages.originFor(request), browser: signOnCookie(request.headers.cookie) }
}

function sendToProvider(
  reply: FastifyReply,
  { browser = '', authorization_url }: Output<typeof beginSignOn>,
): void {
  void reply.header('set-cookie', givenSignOnCookie(browser))
  redirect(reply, ROUTES.beginSignOn, authorization_url)
}

/** The code in the address of the callback is for nobody else: no page that comes then learns of it. */
function redirect(reply: FastifyReply, { status }: Route, location: string): void {
  void reply
    .code(status)
    .headers({ location, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    .send()
}
