import { createHash } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { findUpload, openUpload, type prepareUpload } from '@bearing/contracts/management/upload'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readRequestBody } from '../server/bodies/bound-bodies.js'
import { allowTime } from '../server/http-server.js'
import type { FailedCredentials } from '../ground/limits/failed-credentials.js'
import type { StrangerQuota } from '../ground/limits/anonymous-quota.js'
import { render, routeCall, type Forwarding } from '../forward/forward.js'
import { configOf } from '../forward/handle-route.js'
import { originOf } from '../ground/origin.js'
import { IDENTITY_CODINGS, isJson } from '../forward/read-input.js'
import { discardBody } from './discard-body.js'
import { handOn } from './store-parts.js'
import { putToStorage } from './put-to-storage.js'
import { UploadParts } from './upload-parts.js'
import { UploadPlaces, type UploadPlace } from './upload-limit.js'

/** The longest that one upload may take, in milliseconds. */
const LONGEST_MS = 3_600_000

/** Limits for callers whose signed address is wrong. */
interface Limits {
  readonly failures: FailedCredentials
  readonly anonymous: StrangerQuota
}

/** Settings of taking bytes. */
interface Settings {
  readonly UPLOADS_AT_ONCE: number
  /** Milliseconds in which something has to come. */
  readonly REQUEST_TIMEOUT_MS: number
}

/**
 * Serves the routes whose bodies are bytes of any number. They are apart from the others in the HTTP server, since those have
 * their whole body in memory before anything looks at it; errors and admission are the same.
 */
export function takeBytes(
  server: FastifyInstance,
  forwarding: Forwarding,
  limits: Limits,
  settings: Settings,
): void {
  const bytes = new Bytes(forwarding, limits, settings)
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => {
      parsed(null, payload)
    })
    const serve = (
      name: RouteName,
      handle: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
    ) =>
      scope.route({
        method: ROUTES[name].method,
        url: ROUTES[name].path,
        config: configOf(name),
        handler: async (request, reply) => {
          await answering(handle, request, reply, settings.REQUEST_TIMEOUT_MS)
          return reply
        },
      })
    serve('receiveUpload', (request, reply) => bytes.receive(request, reply))
    serve('commitDeviceCoredump', (request, reply) => bytes.coredump(request, reply))
    done()
  })
}

/**
 * What of a body is not read would be taken for the next request, so the connection ends with a refusal.
 *
 * @param patienceMs how long the rest is read, in milliseconds
 */
async function answering(
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  request: FastifyRequest,
  reply: FastifyReply,
  patienceMs: number,
): Promise<void> {
  try {
    await handle(request, reply)
  } catch (error) {
    void reply.header('connection', 'close')
    await discardBody(request.raw, patienceMs)
    throw error
  }
}

class Bytes {
  private readonly places
  private readonly receiveCall
  private readonly prepareCall
  private readonly commitCall

  constructor(
    private readonly forwarding: Forwarding,
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {
    this.receiveCall = routeCall(ROUTES.receiveUpload, forwarding)
    this.prepareCall = routeCall(ROUTES.prepareDeviceUpload, forwarding)
    this.commitCall = routeCall(ROUTES.commitDeviceCoredump, forwarding)
    this.places = new UploadPlaces(settings.UPLOADS_AT_ONCE)
  }

  /**
   * `PUT /api/v0/uploads/:upload_token`. A wrong address counts as a wrong credential, and as an anonymous request: if it
   * comes again, before management is asked.
   */
  async receive(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { upload_token: token = '' } = request.params as Record<string, string> // Fastify's own parser
    const key = createHash('sha256').update(token).digest('base64')
    const { failures, anonymous } = this.limits
    const isRepeated = failures.isKnownWrong(request.ip, key)
    if (isRepeated) await anonymous.take(request.ip)
    await failures.refuse(request.ip, key)
    try {
      const { client } = this.forwarding
      // Before the upload gets a place, or anonymous callers could take them all.
      const owner = await client.call(findUpload, { upload_token: token }, originOf(request))
      await this.take(request, token, owner.organization_id)
    } catch (error) {
      if (error instanceof OperationError && error.code === 'upload_url_invalid') {
        await failures.note(request.ip, key, false)
        if (!isRepeated) await anonymous.take(request.ip)
      }
      throw error
    }
    render(reply, ROUTES.receiveUpload, {})
  }

  /** `POST /api/v0/upload/coredump`: the commit of an upload, or from debuggers and phones the coredump itself. */
  async coredump(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const route = ROUTES.commitDeviceCoredump
    const { 'content-type': type = 'application/json' } = request.headers
    if (!/^application\/octet-stream *(?:;|$)/i.test(type)) {
      if (!isJson(type))
        throw new OperationError(
          'unsupported_media_type',
          'Send a commit as application/json, or the coredump itself as application/octet-stream.',
        )
      request.body = await readRequestBody(request, route.bodyLimit)
      render(reply, route, await this.commitCall(request))
      return
    }
    request.body = undefined
    const length = lengthOf(request)
    const prepared = (await this.prepareCall(request, {
      kind: 'coredump',
      ...(length !== undefined && codingOf(request) === 'identity' && { size: length }),
    })) as Output<typeof prepareUpload> // validated
    await this.takeWherever(request, prepared.upload_url, length)
    render(reply, route, await this.commitCall(request, { file: { token: prepared.token } }))
  }

  private async takeWherever(request: FastifyRequest, uploadUrl: string, length?: number): Promise<void> {
    const organizationId = organizationOf(request)
    if (uploadUrl.startsWith('/')) {
      await this.take(request, uploadUrl.slice(uploadUrl.lastIndexOf('/') + 1), organizationId)
      return
    }
    if (length === undefined || codingOf(request) === 'gzip')
      throw new OperationError(
        'unsupported_media_type',
        'Send the coredump as it is, with its Content-Length.',
      )
    await this.inPlace(request, organizationId, (place) =>
      putToStorage(uploadUrl, request.raw, length, place),
    )
  }

  private async take(request: FastifyRequest, token: string, organizationId: string): Promise<void> {
    const gzip = codingOf(request) === 'gzip'
    const size = gzip ? undefined : lengthOf(request)
    const { client } = this.forwarding
    const origin = originOf(request)
    await this.inPlace(request, organizationId, async (place) => {
      const asked = { upload_token: token, ...(size !== undefined && { size }) }
      const { object_id, max_bytes: maxBytes } = await client.call(openUpload, asked, origin)
      const parts = new UploadParts(client, object_id, origin)
      const options = { gzip, maxBytes, signal: place.signal }
      const handed = await handOn(request.raw, options, async (data, after) => {
        const sequence = await parts.append(data, after)
        place.moved(data.length)
        return sequence
      }).catch((error: unknown) => {
        parts.abandon()
        throw error
      })
      request.body = undefined
      await this.receiveCall(request, { upload_token: token, object_id, ...handed })
    })
  }

  private async inPlace(
    request: FastifyRequest,
    organizationId: string,
    work: (place: UploadPlace) => Promise<void>,
  ): Promise<void> {
    await this.places.hold(organizationId, async (place) => {
      allowTime(request.raw, this.settings.REQUEST_TIMEOUT_MS, LONGEST_MS)
      await work(place)
    })
  }
}

/** Deny by default: a route that some mistake left without a guard takes nothing. */
function organizationOf({ caller }: FastifyRequest): string {
  if (caller?.principal.kind !== 'project_key') throw new Error('only devices send coredumps like this')
  return caller.principal.organization_id
}

function lengthOf(request: FastifyRequest): number | undefined {
  const length = request.headers['content-length']
  return length === undefined ? undefined : Number(length)
}

function codingOf(request: FastifyRequest): 'gzip' | 'identity' {
  const coding = (request.headers['content-encoding'] ?? '').toLowerCase()
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip'
  if (IDENTITY_CODINGS.has(coding)) return 'identity'
  throw new OperationError(
    'unsupported_media_type',
    'Send the body as it is, or with Content-Encoding: gzip.',
  )
}
