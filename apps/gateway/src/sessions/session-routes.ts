import type { Buffer } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'
import { parseToken } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import type { showSession, startSession } from '@bearing/contracts/identity/people/session'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FailedCredentials } from '../ground/limits/failed-credentials.js'
import { Forwarding, render, routeCall, type RouteCall } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { csrfToken } from '../authenticate/browser/csrf-token.js'
import { SameOriginCheck } from '../authenticate/browser/same-origin.js'
import { startCookie, oneSession, removalCookie } from '../authenticate/browser/session-cookie.js'

/** `POST /auth/session`: moves the token from identity's output to the cookie. */
@Controller()
export class StartSessionRoute {
  /** Hashes attempts, so the memory of the process contains no passwords. */
  private readonly key = randomBytes(32)
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly sameOrigin: SameOriginCheck,
    private readonly failures: FailedCredentials,
  ) {
    this.call = routeCall(ROUTES.startSession, forwarding)
  }

  @HandleRoute('startSession')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.sameOrigin.requireOwnOrigin(request)
    // A form of another site can send a body without a type, or with any type except JSON.
    if (request.headers['content-type'] === undefined)
      throw new OperationError('unsupported_media_type', 'Send the body as application/json.')
    const started = await this.start(request)
    const { session_token = '', ...shown } = started
    void reply.header('set-cookie', startCookie(session_token))
    render(reply, ROUTES.startSession, { ...shown, csrf_token: csrfTokenOf(session_token) })
  }

  /** A wrong password counts like any other wrong credential of a network. */
  private async start(request: FastifyRequest): Promise<Output<typeof startSession>> {
    const body = (request.body as Buffer | undefined) ?? '' // the only content type parser keeps the bytes
    const key = createHmac('sha256', this.key).update(body).digest('base64')
    await this.failures.refuse(request.ip, key)
    try {
      return (await this.call(request, {
        user_agent: request.headers['user-agent'],
        replaces: oneSession(request),
      })) as Output<typeof startSession> // identity has validated it
    } catch (error) {
      if (error instanceof OperationError && error.code === 'credential_invalid')
        await this.failures.note(request.ip, key, false)
      throw error
    }
  }
}

/** `GET /auth/session`: adds the CSRF token for the page. A command line has no cookie, and needs none. */
@Controller()
export class ShowSessionRoute {
  private readonly call: RouteCall

  constructor(forwarding: Forwarding) {
    this.call = routeCall(ROUTES.showSession, forwarding)
  }

  @HandleRoute('showSession')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const shown = (await this.call(request)) as Output<typeof showSession> // identity has validated it
    const token = oneSession(request)
    render(reply, ROUTES.showSession, { ...shown, ...(token && { csrf_token: csrfTokenOf(token) }) })
  }
}

/** `DELETE /auth/session`: removes the cookie. */
@Controller()
export class SignOutRoute {
  private readonly call: RouteCall

  constructor(forwarding: Forwarding) {
    this.call = routeCall(ROUTES.signOut, forwarding)
  }

  @HandleRoute('signOut')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const output = await this.call(request)
    if (oneSession(request) !== undefined) void reply.header('set-cookie', removalCookie())
    render(reply, ROUTES.signOut, output)
  }
}

/** @throws Error if identity returned no session: that is a bug */
function csrfTokenOf(token: string): string {
  const session = parseToken(token)
  if (session?.kind !== 'session') throw new Error('there is no session')
  return csrfToken(session)
}
