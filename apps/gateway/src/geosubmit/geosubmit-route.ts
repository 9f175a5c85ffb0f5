import { OperationError } from '@bearing/contracts/errors'
import { MAX_OBSERVATIONS } from '@bearing/contracts/location/observation'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authorizedOf } from '../authorize/authorization.js'
import { Forwarding, callWith, render } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { inputReader } from '../forward/read-input.js'

const ROUTE = ROUTES.geosubmit
/** Observations of one call: at 2.5 KB each they fit into the smallest message limit of NATS, 1 MiB. */
const CALL_SIZE = 200

/**
 * `POST /v2/geosubmit`: submissions of other services' clients are larger than one NATS message. If a call fails, the client
 * submits everything again; observations that are stored already are recognized by their content.
 */
@Controller()
export class GeosubmitRoute {
  private readonly read = inputReader(ROUTE)

  constructor(private readonly forwarding: Forwarding) {}

  @HandleRoute('geosubmit')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { scope } = authorizedOf(request, ROUTE.operation.permission)
    const input = this.read(request, scope)
    const items = listOf(input['items'])
    for (let at = 0; at < items.length; at += CALL_SIZE)
      await callWith(ROUTE, this.forwarding, request, { ...input, items: items.slice(at, at + CALL_SIZE) })
    render(reply, ROUTE, {})
  }
}

function listOf(items: unknown): unknown[] {
  if (Array.isArray(items) && items.length > 0 && items.length <= MAX_OBSERVATIONS) return items
  const detail = `must be a list of 1 to ${String(MAX_OBSERVATIONS)} observations`
  throw new OperationError('invalid_input', `The field "items" ${detail}.`, {
    errors: [{ pointer: '/items', detail }],
  })
}
