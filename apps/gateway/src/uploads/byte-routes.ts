import { createHash } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { findUpload, openUpload, type prepareUpload } from '@bearing/contracts/management/data/upload'
import type { Output } from '@bearing/contracts/operation'
import { isOfDevice } from '@bearing/contracts/principal'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import { Inflation } from '@bearing/service/ground/inflation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.js'
import { readRequestBody } from '../server/bodies/bound-bodies.js'
import { leaveTimeToReader } from '../server/http-server.js'
import { CompressedBytes } from '../ground/limits/compressed-bytes.js'
import { FailedCredentials } from '../ground/limits/failed-credentials.js'
import { RequestQuotas } from '../ground/limits/request-quotas.js'
import { Forwarding, render, routeCall } from '../forward/forward.js'
import { originOf } from '../ground/origin.js'
import { configOf } from '../ground/route-config.js'
import { IDENTITY_CODINGS, isJson } from '../forward/read-input.js'
import { bytesInTime } from './bytes-in-time.js'
import { discardBody } from './discard-body.js'
import { storeParts } from './store-parts.js'
import { putToStorage } from './put-to-storage.js'
import { UploadParts } from './upload-parts.js'
import { UploadLimit, type ActiveUpload } from './upload-limit.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'

/** The longest that one upload may wait for its client in all, in milliseconds. */
const LONGEST_MS = 3_600_000

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Routes with bodies of any size. Unlike other bodies, theirs are not read into memory before the handler runs; admission and
 * errors are the same.
 */
@Injectable()
export class ByteRoutes {
  private readonly uploads: UploadLimit
  private readonly receiveCall
  private readonly prepareCall
  private readonly commitCall

  constructor(
    private readonly forwarding: Forwarding,
    private readonly failures: FailedCredentials,
    private readonly quotas: RequestQuotas,
    private readonly compressed: CompressedBytes,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'UPLOADS_AT_ONCE' | 'REQUEST_TIMEOUT_MS'>,
  ) {
    this.receiveCall = routeCall(ROUTES.receiveUpload, forwarding)
    this.prepareCall = routeCall(ROUTES.prepareDeviceUpload, forwarding)
    this.commitCall = routeCall(ROUTES.commitDeviceCoredump, forwarding)
    this.uploads = new UploadLimit(settings.UPLOADS_AT_ONCE)
  }

  addTo(server: FastifyInstance): void {
    void server.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, payload, parsed) => {
        parsed(null, payload)
      })
      const serve = (name: RouteName, handle: Handle) => {
        const { method, path: url } = ROUTES[name]
        const handler = (request: FastifyRequest, reply: FastifyReply) => this.respond(handle, request, reply)
        scope.route({ method, url, config: configOf(name), handler })
      }
      serve('receiveUpload', (request, reply) => this.receive(request, reply))
      serve('commitDeviceCoredump', (request, reply) => this.coredump(request, reply))
      done()
    })
  }

  /** Ends the connection with an error: the rest of the body would be read as the next request. */
  private async respond(handle: Handle, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await handle(request, reply)
    } catch (error) {
      void reply.header('connection', 'close')
      await discardBody(request.raw, this.settings.REQUEST_TIMEOUT_MS)
      throw error
    }
  }

  /**
   * `PUT /api/v0/uploads/:upload_token`. A wrong upload URL counts as a wrong credential, and as an anonymous request; a
   * repeated one before management is asked.
   */
  private async receive(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { upload_token: token = '' } = request.params as Record<string, string> // Fastify's own parser
    const key = createHash('sha256').update(token).digest('base64')
    const { failures, quotas } = this
    leaveTimeToReader(request.raw)
    const isRepeated = failures.isKnownWrong(request.ip, key)
    if (isRepeated) await quotas.countAnonymous(request.ip, reply)
    await failures.refuse(request.ip, key)
    try {
      const { client } = this.forwarding
      // First of all, or anonymous callers could use up the limit of uploads.
      const owner = await client.call(findUpload, { upload_token: token }, originOf(request))
      await this.store(request, token, owner.organization_id)
    } catch (error) {
      if (error instanceof OperationError && error.code === 'upload_url_invalid') {
        await failures.note(request.ip, key, false)
        if (!isRepeated) await quotas.countAnonymous(request.ip, reply)
      }
      throw error
    }
    render(reply, ROUTES.receiveUpload, {})
  }

  /** `POST /api/v0/upload/coredump`: commits an upload, or uploads and commits the coredump in the body. */
  private async coredump(request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
    leaveTimeToReader(request.raw)
    request.body = undefined
    const length = lengthOf(request)
    const prepared = (await this.prepareCall(request, {
      kind: 'coredump',
      ...(length !== undefined && codingOf(request) === 'identity' && { size: length }),
    })) as Output<typeof prepareUpload> // validated
    await this.storeAt(request, prepared.upload_url, length)
    render(reply, route, await this.commitCall(request, { file: { token: prepared.token } }))
  }

  private async storeAt(request: FastifyRequest, uploadUrl: string, length?: number): Promise<void> {
    const organizationId = organizationOf(request)
    if (uploadUrl.startsWith('/')) {
      await this.store(request, uploadUrl.slice(uploadUrl.lastIndexOf('/') + 1), organizationId)
      return
    }
    if (length === undefined || codingOf(request) === 'gzip')
      throw new OperationError(
        'unsupported_media_type',
        'Send the coredump as it is, with its Content-Length.',
      )
    await this.limited(request, organizationId, (upload, body) =>
      putToStorage(uploadUrl, body, length, upload),
    )
  }

  private async store(request: FastifyRequest, token: string, organizationId: string): Promise<void> {
    const length = lengthOf(request)
    const isCompressed = codingOf(request) === 'gzip'
    const size = isCompressed ? undefined : length
    const { client } = this.forwarding
    const origin = originOf(request)
    await this.limited(request, organizationId, async (upload, body) => {
      const asked = { upload_token: token, ...(size !== undefined && { size }) }
      if (isCompressed) await this.compressed.refuse(organizationId)
      const opened = await client.call(openUpload, asked, origin)
      const { object_id, max_bytes: maxBytes, announced_bytes: announced } = opened
      const parts = new UploadParts(client, object_id, origin)
      const inflation = isCompressed ? new Inflation({ maxBytes, announced, length }) : undefined
      const stored = await storeParts(body, { inflation, maxBytes, announced }, async (data, after) => {
        const sequence = await parts.append(data, after)
        upload.received(data.length)
        return sequence
      })
        .catch((error: unknown) => {
          parts.abandon()
          throw error
        })
        .finally(() => inflation && this.compressed.charge(organizationId, inflation))
      request.body = undefined
      await this.receiveCall(request, { upload_token: token, object_id, ...stored })
    })
  }

  private async limited(
    request: FastifyRequest,
    organizationId: string,
    work: (upload: ActiveUpload, body: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<void> {
    const idleMs = this.settings.REQUEST_TIMEOUT_MS
    await this.uploads.run(organizationId, (upload) =>
      work(upload, bytesInTime(request.raw, { idleMs, totalMs: LONGEST_MS, signal: upload.signal })),
    )
  }
}

/** Denies by default, if a bug left the route without admission. */
function organizationOf({ caller }: FastifyRequest): string {
  const principal = caller?.principal
  if (!isOfDevice(principal)) throw new Error('only devices send coredumps like this')
  return principal.organization_id
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
