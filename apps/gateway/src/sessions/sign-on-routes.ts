import type { beginLink, beginSignOn, completeSignOn } from '@bearing/contracts/identity/sso/sign-on'
import { OperationError } from '@bearing/contracts/errors'
import { Slug } from '@bearing/contracts/primitives'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScopeResolver } from '../authorize/scope-resolver.js'
import { Forwarding, callWith, render, routeCall, type RouteCall } from '../forward/forward.js'
import { originOf } from '../ground/origin.js'
import { HandleRoute } from '../forward/handle-route.js'
import { SameOriginCheck } from '../authenticate/browser/same-origin.js'
import { startCookie, oneSession } from '../authenticate/browser/session-cookie.js'
import { SwitchGuard } from './switch-guard.js'
import { startSignOnCookie, signOnCookie, removalSignOnCookie } from './sign-on-cookie.js'

const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i

/** Reads the body of a request as a form. @throws OperationError `unsupported_media_type` */
function formOf({ body, headers }: FastifyRequest): URLSearchParams {
  if (!FORM.test(headers['content-type'] ?? ''))
    throw new OperationError(
      'unsupported_media_type',
      'Send the parameters as application/x-www-form-urlencoded.',
    )
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0) // the only content type parser keeps the bytes
  return new URLSearchParams(bytes.toString('utf8'))
}

/** `GET /auth/sso?organization=…`: starts a sign-on through the connection of an organization. */
@Controller()
export class FindSignOnRoute {
  private readonly call: RouteCall
  private readonly scopes: ScopeResolver

  constructor(
    forwarding: Forwarding,
    private readonly sameOrigin: SameOriginCheck,
    private readonly switches: SwitchGuard,
  ) {
    this.call = routeCall(ROUTES.findSignOn, forwarding)
    this.scopes = forwarding.scopes
  }

  @HandleRoute('findSignOn')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseHead(request, reply)
    const { organization } = request.query as Record<string, unknown> // Fastify's own parser
    const { success, data: slug } = Slug.safeParse(organization)
    // Never from the cache: an anonymous caller could measure which organizations are in use.
    const scope = success
      ? await this.scopes.resolve({ organization: slug, project: undefined }, originOf(request))
      : undefined
    const organizationId = scope?.organization_id ?? undefined
    const elsewhere = await this.switches.divert(
      request,
      ({ sso }) => sso !== undefined && sso.organization_id === organizationId,
      { connection: undefined, organization: slug },
    )
    if (elsewhere !== undefined) {
      redirect(reply, 303, elsewhere)
      return
    }
    const begun = (await this.call(request, {
      ...browserOf(request, this.sameOrigin),
      connection_id: undefined,
      organization_id: organizationId,
    })) as Output<typeof beginSignOn> // identity has validated it
    sendToProvider(reply, begun)
  }
}

/** `GET /auth/sso/:connection_id/start`: starts a sign-on through one connection. */
@Controller()
export class BeginSignOnRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly sameOrigin: SameOriginCheck,
    private readonly switches: SwitchGuard,
  ) {
    this.call = routeCall(ROUTES.beginSignOn, forwarding)
  }

  @HandleRoute('beginSignOn')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseHead(request, reply)
    const { connection_id } = request.params as Record<string, string> // of the route's path
    const elsewhere = await this.switches.divert(request, ({ sso }) => sso?.connection_id === connection_id, {
      connection: connection_id,
      organization: undefined,
    })
    if (elsewhere !== undefined) {
      redirect(reply, 303, elsewhere)
      return
    }
    const begun = (await this.call(request, browserOf(request, this.sameOrigin))) as Output<
      typeof beginSignOn
    > // validated
    sendToProvider(reply, begun)
  }
}

/** `POST /auth/sso/:connection_id/link`: starts linking an account. The page navigates to the returned URL. */
@Controller()
export class BeginLinkRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly sameOrigin: SameOriginCheck,
  ) {
    this.call = routeCall(ROUTES.beginLink, forwarding)
  }

  @HandleRoute('beginLink')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const begun = (await this.call(request, browserOf(request, this.sameOrigin))) as Output<typeof beginLink> // validated
    const { browser = '', ...shown } = begun
    void reply.header('set-cookie', startSignOnCookie(browser))
    render(reply, ROUTES.beginLink, shown)
  }
}

/** `GET /auth/sso/:connection_id/callback`: the redirect from the provider. */
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
    void reply.header('set-cookie', [startCookie(session_token), removalSignOnCookie()])
    redirect(reply, ROUTES.completeSignOn.status, return_to)
  }
}

/** `POST /auth/sso/:connection_id/backchannel_logout`: a logout at the provider, as a form. */
@Controller()
export class LogOutAtProviderRoute {
  constructor(private readonly forwarding: Forwarding) {}

  @HandleRoute('logOutAtProvider')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { connection_id } = request.params as Record<string, string> // of the route's path
    const form = formOf(request)
    const input = { connection_id, logout_token: form.get('logout_token') ?? '' }
    const output = await callWith(ROUTES.logOutAtProvider, this.forwarding, request, input)
    render(reply.header('cache-control', 'no-store'), ROUTES.logOutAtProvider, output)
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

/** Returns the fields about the browser that only the gateway may set. */
function browserOf(request: FastifyRequest, sameOrigin: SameOriginCheck) {
  return { origin: sameOrigin.originFor(request), browser: signOnCookie(request.headers.cookie) }
}

function sendToProvider(
  reply: FastifyReply,
  { browser = '', authorization_url }: Output<typeof beginSignOn>,
): void {
  void reply.header('set-cookie', startSignOnCookie(browser))
  redirect(reply, ROUTES.beginSignOn.status, authorization_url)
}

/** Sends no `Referer`: the URL of the callback contains a code. */
function redirect(reply: FastifyReply, status: number, location: string): void {
  void reply
    .code(status)
    .headers({ location, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    .send()
}
