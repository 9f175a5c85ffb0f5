import { OperationError, type Mistake } from '@bearing/contracts/errors'
import type { Route } from '@bearing/contracts/routes'
import { integersOf, readJsonObject } from '@bearing/nats/json-object'
import type { UnreadInput } from '@bearing/nats/unread-input'
import { invalidInput } from '@bearing/nats/validate'
import { Inflation } from '@bearing/service/ground/inflation'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Scope } from '../authorize/scope-resolver.js'
import { overloaded } from '../server/bodies/read-body.js'
import { geolocationBody } from './geolocation-body.js'

/** Path parameters that are slugs. They are resolved to ids. */
const SLUGS = new Set(['organization', 'project'])
/** Fields that only the path and the credential fill. */
const IDS = new Set(['organization_id', 'project_id'])

/** Reads the input of an operation from a request. */
export type ReadInput = (request: FastifyRequest, scope: Scope | undefined) => Record<string, unknown>

/**
 * Returns the reader of a route's input: the query, or the JSON body, and over it the fields of the path, so a body can never
 * name another organization than its path.
 */
export function inputReader(route: Route): ReadInput {
  const read = takesBody(route)
    ? (request: FastifyRequest) => readJsonObject(bodyOf(request, route), integersOf(route.operation))
    : queryReader(route)
  const isStrict = !route.operation.lenient
  return (request, scope) => {
    const input = read(request)
    if (isStrict) {
      refuseElsewhere(route, request)
      refuseContradictions(input, { ...(request.params as object), ...scope })
    }
    // Ids come from the path alone.
    delete input['organization_id']
    delete input['project_id']
    return { ...input, ...fixedFields(route, request, scope) }
  }
}

/** Refuses what was sent where the route does not look: a restriction there would be none. */
function refuseElsewhere(route: Route, request: FastifyRequest): void {
  const [sent, place] = takesBody(route)
    ? [request.query as object, 'the body'] // Fastify's own parser
    : [readJsonObject(bodyOf(request, route)), 'the query']
  const names = Object.keys(sent)
  if (names.length > 0) throw invalidInput(names.map((name) => mistake(name, `must be sent in ${place}`)))
}

/** Refuses fields that name something else than the path, which decides. Repeating it is no mistake. */
function refuseContradictions(
  input: Readonly<Record<string, unknown>>,
  path: Readonly<Record<string, unknown>>,
): void {
  const mistakes = Object.entries(input)
    .filter(
      ([name, value]) => (IDS.has(name) || Object.hasOwn(path, name)) && String(value) !== String(path[name]),
    )
    .map(([name]) => mistake(name, 'must be left out, or be as the path says'))
  if (mistakes.length > 0) throw invalidInput(mistakes)
}

function mistake(name: string, detail: string): Mistake {
  return { pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail }
}

/** Returns the input of a route whose body only the service reads. */
export function unreadInput(route: Route, request: FastifyRequest, scope: Scope | undefined): UnreadInput {
  // Replaces ids of the body, even if the path has none.
  const ids = { organization_id: null, project_id: null }
  return { json: bodyOf(request, route), over: { ...ids, ...fixedFields(route, request, scope) } }
}

/** Returns whether the input is in the body, and not in the query. */
export function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

/** Returns the input that is in the path and the route: it replaces fields of the body or the query. */
export function fixedFields(
  route: Route,
  request: FastifyRequest,
  scope: Scope | undefined,
): Record<string, unknown> {
  const over: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(request.params as Record<string, string>))
    // Fastify's own parser
    if (!SLUGS.has(name)) over[name] = value
  const key = route.idempotencyKey ? request.headers['idempotency-key'] : undefined
  if (key !== undefined) over['idempotency_key'] = key
  if (scope?.organization_id) over['organization_id'] = scope.organization_id
  if (scope?.project_id) over['project_id'] = scope.project_id
  return { ...over, ...(route.locationQuery && locationOptions(request)), ...route.fixed }
}

/** Returns the options of a location client in the query: `hiConf` asks for 95 %, `doReply=0` for no reply. */
function locationOptions(request: FastifyRequest): Record<string, unknown> {
  const { hiConf, doReply } = request.query as Record<string, unknown> // Fastify's own parser
  return {
    ...((hiConf === '1' || hiConf === 'true') && { confidence: 95 }),
    ...((doReply === '0' || doReply === 'false') && { reply: false }),
  }
}

/** Reads the query, where everything is text, with the operation's number fields as numbers. */
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

/** Content codings without effect. Some clients send a character set here. */
export const IDENTITY_CODINGS = new Set(['', 'identity', 'utf-8', 'utf8'])

export function isJson(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)
}

export function isIdentityCoding(coding: string): boolean {
  return IDENTITY_CODINGS.has(coding.toLowerCase())
}

/** Returns the body. Its type is JSON, or missing. */
function bodyOf(request: FastifyRequest, { dialect, bodyLimit }: Route): Buffer {
  const body = request.body as Buffer | undefined // the only content type parser keeps the bytes
  if (!body || body.length === 0) return NOTHING
  const { 'content-type': type = 'application/json', 'content-encoding': coding = '' } = request.headers
  if (dialect === 'geolocation') {
    const inflation = new Inflation({ maxBytes: bodyLimit })
    request.inflation = inflation
    const plain = geolocationBody(body, coding, bodyLimit, inflation)
    // The bytes that gzip adds are held until the reply, as the rest of the body is.
    const added = plain.length - body.length
    if (added > 0 && request.bodyShare?.take(added) === false) throw overloaded()
    return plain
  }
  if (!isJson(type)) throw new OperationError('unsupported_media_type', 'Send the body as application/json.')
  if (!isIdentityCoding(coding))
    throw new OperationError('unsupported_media_type', 'Send the body without a content coding.')
  return body
}

const NOTHING = Buffer.alloc(0)
