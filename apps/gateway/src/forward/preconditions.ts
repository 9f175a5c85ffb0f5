import { OperationError } from '@bearing/contracts/errors'
import { audienceOf, needsClaims } from '@bearing/contracts/operation'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../ground/static-files.js'

/** Reads the resource that a request is about. */
type ReadCurrent = (request: FastifyRequest) => Promise<unknown>

/**
 * Preconditions of requests (RFC 9110 §13): `If-Match`, `If-None-Match` and `If-Unmodified-Since`. What is compared is what `GET`
 * answers to the same caller at the same path. It is read just before the change, not in its transaction: two changes that arrive
 * within the same milliseconds can both pass.
 *
 * Not for routes that devices use, and routes with a controller of their own.
 */
export class Preconditions {
  private readonly isSingle: boolean
  private readonly readCurrent: ReadCurrent | undefined

  /** @param callOf returns the call of another route */
  constructor(
    private readonly route: Route,
    callOf: (reader: Route) => ReadCurrent,
  ) {
    this.isSingle = isSingle(route)
    const reader = route.method === 'GET' ? undefined : readerOf(route)
    this.readCurrent = reader && callOf(reader)
  }

  /** @throws OperationError `precondition_failed`; what `GET` throws, except if there is nothing */
  async require(request: FastifyRequest): Promise<void> {
    if (this.route.method === 'GET' || this.route.device) return
    const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = request.headers
    if (match === undefined && noneMatch === undefined && since === undefined) return
    const current = await this.current(request)
    if (match !== undefined && !matches(match, current)) throw failed(request, 'If-Match')
    if (match === undefined && since !== undefined && isModified(current, since))
      throw failed(request, 'If-Unmodified-Since')
    if (noneMatch !== undefined && matches(noneMatch, current)) throw failed(request, 'If-None-Match')
  }

  /** Adds the headers of a single resource to the reply. Answers 304 if the client has it. */
  isUnchanged(request: FastifyRequest, reply: FastifyReply, output: unknown): boolean {
    if (!this.isSingle) return false
    const etag = etagOf(JSON.stringify(output))
    void reply.header('etag', etag)
    const modified = modifiedAt(output)
    if (modified !== undefined) void reply.header('last-modified', modified.toUTCString())
    const noneMatch = request.headers['if-none-match']
    // RFC 9110 §13.1.2: for GET a weak comparison, which ignores the prefix.
    if (noneMatch === undefined || !matches(noneMatch.replaceAll('W/', ''), output)) return false
    void reply.code(304).send()
    return true
  }

  /** Returns undefined if there is nothing that a precondition could be about. */
  private async current(request: FastifyRequest): Promise<unknown> {
    try {
      return await this.readCurrent?.(request)
    } catch (error) {
      if (error instanceof OperationError && error.status === 404) return undefined
      throw error
    }
  }
}

/** Returns whether a route reads one resource. Lists and streams have no entity tag. */
function isSingle({ method, envelope, device, stream, download, hasController }: Route): boolean {
  return method === 'GET' && envelope === 'data' && !device && !stream && !download && !hasController
}

/** Returns the route that reads what another one changes, with the same claims. */
function readerOf(route: Route): Route | undefined {
  const { operation, device } = route
  if (device || !needsClaims(operation.permission)) return undefined
  const { template } = pathTemplate(route)
  return (Object.values(ROUTES) as Route[]).find(
    (other) =>
      isSingle(other) &&
      pathTemplate(other).template === template &&
      audienceOf(other.operation) === audienceOf(operation),
  )
}

/** Returns whether the preconditions of a request can hold: somebody can read what the route changes. */
export function hasPreconditions(route: Route): boolean {
  return route.method !== 'GET' && !route.hasController && readerOf(route) !== undefined
}

/** Strong comparison (RFC 9110 §8.8.3.2): a weak tag matches nothing. */
function matches(header: string, current: unknown): boolean {
  if (current === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.includes(etagOf(JSON.stringify(current)))
}

/** RFC 9110 §13.1.4: without a time of the last change, or with a date that cannot be read, the header is ignored. */
function isModified(current: unknown, since: string): boolean {
  const limitMs = Date.parse(since)
  const modified = modifiedAt(current)
  // HTTP dates have whole seconds.
  return modified !== undefined && Math.floor(modified.getTime() / 1_000) * 1_000 > limitMs
}

function modifiedAt(output: unknown): Date | undefined {
  if (typeof output !== 'object' || output === null || !('updated_at' in output)) return undefined
  return typeof output.updated_at === 'string' ? new Date(output.updated_at) : undefined
}

function failed(request: FastifyRequest, header: string): OperationError {
  return new OperationError(
    'precondition_failed',
    `${header} does not hold: ${request.method} changed nothing. Read the resource again, and repeat with the ETag of that reply.`,
  )
}
