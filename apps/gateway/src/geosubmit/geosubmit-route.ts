import { OperationError } from '@bearing/contracts/errors'
import { KIB } from '@bearing/contracts/route'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authorizedOf } from '../authorize/authorization.js'
import { Forwarding, callWith, render } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { inputReader } from '../forward/read-input.js'

const ROUTE = ROUTES.geosubmit
/** Observations of one call, and their bytes: what becomes of them fits into the smallest message limit of NATS, 1 MiB. */
const CALL_SIZE = 200
const CALL_BYTES = 512 * KIB

/**
 * `POST /v2/geosubmit`: submissions of other services' clients are larger than one NATS message. If a call fails, the client
 * submits everything again; observations that are stored already are recognized by their content. What is wrong with one observation costs
 * that one: those clients repeat what is refused for ever.
 */
@Controller()
export class GeosubmitRoute {
  private readonly read = inputReader(ROUTE)

  constructor(private readonly forwarding: Forwarding) {}

  @HandleRoute('geosubmit')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { scope } = authorizedOf(request, ROUTE.operation.permission)
    const input = this.read(request, scope)
    for (const items of callsOf(listOf(input['items'])))
      await callWith(ROUTE, this.forwarding, request, { ...input, items })
    render(reply, ROUTE, {})
  }
}

function listOf(items: unknown): readonly unknown[] {
  if (Array.isArray(items)) return items
  const detail = 'must be a list of observations'
  throw new OperationError('invalid_input', `The field "items" ${detail}.`, {
    errors: [{ pointer: '/items', detail }],
  })
}

/** Divides observations into calls. One that fits into none is left out. */
function* callsOf(items: readonly unknown[]): Generator<unknown[]> {
  let call: unknown[] = []
  let bytes = 0
  for (const item of items) {
    const own = Buffer.byteLength(JSON.stringify(item))
    if (own > CALL_BYTES) continue
    if (call.length === CALL_SIZE || bytes + own > CALL_BYTES) {
      yield call
      call = []
      bytes = 0
    }
    call.push(item)
    bytes += own
  }
  if (call.length > 0) yield call
}
