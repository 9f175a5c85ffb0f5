import { OperationError } from '@bearing/contracts/errors'
import type { Route } from '@bearing/contracts/routes'
import { readJsonObject } from '@bearing/nats/json-object'
import type { UnreadInput } from '@bearing/nats/unread-input'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Address } from '../authorize/scope-resolver.js'
import { foreignBody } from './geolocation-body.js'

/** Names of the path parameters that are slugs; they become ids. */
const SLUGS = new Set(['organization', 'project'])

/** Makes the input of an operation out of a request. */
export type ReadInput = (request: FastifyRequest, address: Address | undefined) => Record<string, unknown>

/**
 * How the input of a route is put together: the query of a GET or the JSON body of other methods, and on top of it what
 * stands in the path, so that a body can never name another organization than its address.
 */
export function inputReader(route: Route): ReadInput {
  const read = takesBody(route)
    ? (request: FastifyRequest) => readJsonObject(bodyOf(request, route))
    : queryReader(route)
  return (request, address) => {
    const input = read(request)
    // Ids come from the address alone.
    delete input['organization_id']
    delete input['project_id']
    return { ...input, ...fieldsOver(route, request, address) }
  }
}

/** The same where what reads the body is not the gateway: it is handed on as it came. */
export function unreadInput(
  route: Route,
  request: FastifyRequest,
  address: Address | undefined,
): UnreadInput {
  // No id of the body counts, also where the address has none.
  const ids = { organization_id: null, project_id: null }
  return { json: bodyOf(request, route), over: { ...ids, ...fieldsOver(route, request, address) } }
}

/** Whether the input of a route comes in the body, and not in the query. */
export function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

/** What counts whatever the body or the query says. */
function fieldsOver(
  route: Route,
  request: FastifyRequest,
  address: Address | undefined,
): Record<string, unknown> {
  const over: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(request.params as Record<string, string>))
    // Fastify's own parser
    if (!SLUGS.has(name)) over[name] = value
  const key = route.idempotencyKey ? request.headers['idempotency-key'] : undefined
  if (key !== undefined) over['idempotency_key'] = key
  if (address?.organization_id) over['organization_id'] = address.organization_id
  if (address?.project_id) over['project_id'] = address.project_id
  return { ...over, ...route.fixed }
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

/** The body, where it says that it is JSON or does not say what it is. */
function bodyOf(request: FastifyRequest, { dialect, bodyLimit }: Route): Buffer {
  const body = request.body as Buffer | undefined // the only content type parser keeps the bytes
  if (!body || body.length === 0) return NOTHING
  const { 'content-type': type = 'application/json', 'content-encoding': coding = '' } = request.headers
  if (dialect === 'geolocation') return foreignBody(body, coding, bodyLimit)
  if (!isJson(type)) throw new OperationError('unsupported_media_type', 'Send the body as application/json.')
  if (!isIdentityCoding(coding))
    throw new OperationError('unsupported_media_type', 'Send the body without a content coding.')
  return body
}

const NOTHING = Buffer.alloc(0)
