import { OperationError } from '@bearing/contracts/errors'
import type { requestLogin } from '@bearing/contracts/identity/people/login'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Controller, Inject, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SameOriginCheck } from '../authenticate/browser/same-origin.js'
import type { Settings } from '../config.js'
import { Forwarding, render, routeCall, type RouteCall } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'

/** The page that asks a user who is signed in whether to sign in a command line. */
const PAGE = '/command-line'

/** `POST /auth/login`: adds the URL of the page, as browsers reach it. */
@Controller()
export class RequestLoginRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly sameOrigin: SameOriginCheck,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.call = routeCall(ROUTES.requestLogin, forwarding)
  }

  @HandleRoute('requestLogin')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { DASHBOARD, PUBLIC_URL } = this.settings
    // With PUBLIC_URL another gateway may serve the page.
    if (!DASHBOARD && PUBLIC_URL === '')
      throw new OperationError(
        'route_not_found',
        'This installation has no dashboard, where a login is allowed (DASHBOARD of the gateway). Use a user API key.',
      )
    const requested = (await this.call(request)) as Output<typeof requestLogin> // identity has validated it
    const page = new URL(PAGE, this.sameOrigin.originFor(request))
    const verification_uri = page.href
    page.searchParams.set('user_code', requested.user_code)
    render(reply, ROUTES.requestLogin, {
      ...requested,
      verification_uri,
      verification_uri_complete: page.href,
    })
  }
}
