import { OperationError } from '@bearing/contracts/errors'
import { ROUTES } from '@bearing/contracts/routes'
import { readJsonObject } from '@bearing/nats/json-object'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forwarding, render, routeCall, type RouteCall } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { RequestQuotas } from '../ground/limits/request-quotas.js'

/**
 * `POST /auth/login/token`: counts a poll for its login, so that many people who wait behind one address keep nobody from signing in.
 * A poll of a login that does not exist counts as an anonymous request.
 */
@Controller()
export class ExchangeLoginRoute {
  private readonly call: RouteCall

  constructor(
    forwarding: Forwarding,
    private readonly quotas: RequestQuotas,
  ) {
    this.call = routeCall(ROUTES.exchangeLogin, forwarding)
  }

  @HandleRoute('exchangeLogin')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0) // the only content type parser keeps the bytes
    const { device_code: code } = readJsonObject(body)
    if (typeof code === 'string') await this.quotas.countLogin(code, reply)
    try {
      render(
        reply,
        ROUTES.exchangeLogin,
        await this.call(request, { user_agent: request.headers['user-agent'] }),
      )
    } catch (error) {
      const isKnown = !(error instanceof OperationError) || !UNKNOWN.has(error.code)
      if (!isKnown) await this.quotas.countAnonymous(request.ip, reply)
      throw error
    }
  }
}

/** Errors of polls that belong to no login. */
const UNKNOWN: ReadonlySet<string> = new Set(['expired_token', 'invalid_input'])
