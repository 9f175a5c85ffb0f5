import { isUtf8 } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'
import type { Route } from '@bearing/contracts/routes'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Address } from '../address/address-book.js'

/** Names of the path parameters that are slugs; they become ids. */
const SLUGS = new Set(['organization', 'project'])

/** Makes the input of an operation out of a request. */
export type ReadInput = (request: FastifyRequest, address: Address | undefined) => Record<string, unknown>

/**
 * How the input of a route is put together: the query of a GET or the JSON body of other methods, and on top of it what
 * stands in the path, so that a body can never name another organization than its address.
 */
export function inputReader(route: Route): ReadInput {
  const read = route.method === 'GET' || route.method === 'DELETE' ? queryReader(route) : readBody
  return (request, address) => {
    const input = read(request)
    // Ids come from the address alone.
    delete input['organization_id']
    delete input['project_id']
    for (const [name, value] of Object.entries(request.params as Record<string, string>))
      // Fastify's own parser
      if (!SLUGS.has(name)) input[name] = value
    const key = route.idempotencyKey ? request.headers['idempotency-key'] : undefined
    if (key !== undefined) input['idempotency_key'] = key
    if (address?.organization_id) input['organization_id'] = address.organization_id
    if (address?.project_id) input['project_id'] = address.project_id
    return input
  }
}

/** In a query everything is text; fields that the operation takes as numbers are read as such. */
function queryReader(route: Route): (request: FastifyRequest) => Record<string, unknown> {
  const schema = z.toJSONSchema(route.operation.input, { io: 'input', unrepresentable: 'any' })
  const numbers = new Set(
    Object.entries(schema.properties ?? {})
      .filter(
        ([, property]) =>
          typeof property === 'object' && (property.type === 'integer' || property.type === 'number'),
      )
      .map(([name]) => name),
  )
  return (request) => {
    const query: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(request.query as Record<string, unknown>))
      // Fastify's own parser
      query[name] =
        numbers.has(name) && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    return query
  }
}

/** Content codings that change nothing. Some clients send a character set here. */
export const IDENTITY_CODINGS = new Set(['', 'identity', 'utf-8', 'utf8'])

/** Whether a content type is one of JSON. */
export function isJson(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)
}

/** Whether a content coding changes nothing. */
export function isIdentityCoding(coding: string): boolean {
  return IDENTITY_CODINGS.has(coding.toLowerCase())
}

function readBody(request: FastifyRequest): Record<string, unknown> {
  const body = request.body as Buffer | undefined // the only content type parser keeps the bytes
  if (!body || body.length === 0) return {}
  const { 'content-type': type = 'application/json', 'content-encoding': coding = '' } = request.headers
  if (!isJson(type)) throw new OperationError('unsupported_media_type', 'Send the body as application/json.')
  if (!isIdentityCoding(coding))
    throw new OperationError('unsupported_media_type', 'Send the body without a content coding.')
  const json = parseJson(body)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new OperationError('invalid_input', 'The body must be a JSON object.', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    })
  return json as Record<string, unknown> // an object, as was checked
}

function parseJson(body: Buffer): unknown {
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    // Told below, as what is not even UTF-8.
  }
  throw new OperationError('malformed_json', 'The body is not well-formed JSON in UTF-8.')
}
