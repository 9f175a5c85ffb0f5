import { exchangeToken, type ExchangeRefusal } from '@bearing/contracts/identity/workloads/token-exchange'
import { OperationError } from '@bearing/contracts/errors'
import { Id } from '@bearing/contracts/primitives'
import { ROUTES } from '@bearing/contracts/routes'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callWith, Forwarding, render } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { originOf } from '../ground/origin.js'

const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i
/** The parameters that are read. RFC 6749 §3.2 says to ignore others. */
const PARAMETERS = Object.keys(exchangeToken.input.shape).filter((name) => name !== 'organization_id')

/** `POST /oauth/token`: reads the form, and resolves the organization that it names. */
@Controller()
export class ExchangeTokenRoute {
  constructor(private readonly forwarding: Forwarding) {}

  @HandleRoute('exchangeToken')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = formOf(request)
    const organization_id = await this.organization(form['audience'] ?? '', request)
    const input = { ...form, organization_id }
    const output = await callWith(ROUTES.exchangeToken, this.forwarding, request, input)
    render(reply.header('cache-control', 'no-store'), ROUTES.exchangeToken, output)
  }

  private async organization(audience: string, request: FastifyRequest): Promise<string | null> {
    const id = Id.safeParse(audience)
    if (id.success) return id.data
    const slugs = { organization: audience, project: undefined }
    return (await this.forwarding.scopes.resolve(slugs, originOf(request))).organization_id
  }
}

function formOf({ body, headers }: FastifyRequest): Readonly<Record<string, string>> {
  if (!FORM.test(headers['content-type'] ?? ''))
    throw refused('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  const text = ((body as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8') // the only content type parser keeps the bytes
  const form = new URLSearchParams(text)
  const given = PARAMETERS.filter((name) => (form.get(name) ?? '') !== '')
  for (const name of PARAMETERS)
    if (form.getAll(name).length > 1) throw refused('invalid_request', `${name} is there more than once.`)
  return Object.fromEntries(given.map((name) => [name, form.get(name) ?? '']))
}

function refused(reason: ExchangeRefusal, message: string): OperationError {
  return new OperationError('token_exchange_refused', message, { reason })
}
