import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { OperationError } from '@bearing/contracts/errors'
import { appendUpload, openUpload, type prepareUpload } from '@bearing/contracts/management/upload'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowTime } from '../http-server.js'
import type { FailedCredentials } from '../limits/failed-credentials.js'
import { render, routeCall, type Forwarding } from '../routing/forward.js'
import { configOf } from '../routing/handle-route.js'
import { originOf } from '../routing/origin.js'
import { IDENTITY_CODINGS, isJson } from '../routing/read-input.js'
import { handOn, tooLarge } from './hand-on.js'
import { putToStorage } from './put-to-storage.js'

/** The longest that one upload may take, in milliseconds. */
const LONGEST_MS = 3_600_000
/** How much of a body that was refused is read all the same, in bytes, for its sender to hear the answer. */
const MAX_DISCARDED = 32 * 1024 * 1024

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
  failures: FailedCredentials,
  settings: Settings,
): void {
  const bytes = new Bytes(forwarding, failures, settings)
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
          await answering(handle, request, reply)
          return reply
        },
      })
    serve('receiveUpload', (request, reply) => bytes.receive(request, reply))
    serve('commitDeviceCoredump', (request, reply) => bytes.coredump(request, reply))
    done()
  })
}

/** What of a body is not read would be taken for the next request, so the connection ends with a refusal. */
async function answering(
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    await handle(request, reply)
  } catch (error) {
    void reply.header('connection', 'close')
    await discard(request.raw)
    throw error
  }
}

async function discard(body: Readable): Promise<void> {
  try {
    let length = 0
    for await (const bytes of body.iterator({ destroyOnReturn: false })) {
      length += (bytes as Buffer).length
      if (length > MAX_DISCARDED) return
    }
  } catch {
    // The client is gone.
  }
}

class Bytes {
  private underWay = 0
  private readonly receiveCall
  private readonly prepareCall
  private readonly commitCall

  constructor(
    private readonly forwarding: Forwarding,
    private readonly failures: FailedCredentials,
    private readonly settings: Settings,
  ) {
    this.receiveCall = routeCall(ROUTES.receiveUpload, forwarding)
    this.prepareCall = routeCall(ROUTES.prepareDeviceUpload, forwarding)
    this.commitCall = routeCall(ROUTES.commitDeviceCoredump, forwarding)
  }

  /** `PUT /api/v0/uploads/:upload_token`. A wrong address counts like any other wrong credential. */
  async receive(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { upload_token: token = '' } = request.params as Record<string, string> // Fastify's own parser
    const key = createHash('sha256').update(token).digest('base64')
    await this.failures.refuse(request.ip, key)
    try {
      await this.take(request, token)
    } catch (error) {
      if (error instanceof OperationError && error.code === 'upload_url_invalid')
        await this.failures.note(request.ip, key, false)
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
      request.body = await readAll(request.raw, route.bodyLimit)
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
    if (uploadUrl.startsWith('/')) {
      await this.take(request, uploadUrl.slice(uploadUrl.lastIndexOf('/') + 1))
      return
    }
    if (length === undefined || codingOf(request) === 'gzip')
      throw new OperationError(
        'unsupported_media_type',
        'Send the coredump as it is, with its Content-Length.',
      )
    await this.inTurn(request, () => putToStorage(uploadUrl, request.raw, length))
  }

  private async take(request: FastifyRequest, token: string): Promise<void> {
    const gzip = codingOf(request) === 'gzip'
    const { client } = this.forwarding
    const origin = originOf(request)
    await this.inTurn(request, async () => {
      const opened = await client.call(openUpload, { upload_token: token }, origin)
      if (!gzip && (lengthOf(request) ?? 0) > opened.max_bytes) throw tooLarge(opened.max_bytes)
      const limits = { gzip, maxBytes: opened.max_bytes }
      const handed = await handOn(request.raw, limits, async (data, after) => {
        const part = { object_id: opened.object_id, after, data }
        return (await client.call(appendUpload, part, origin)).sequence
      })
      request.body = undefined
      await this.receiveCall(request, { upload_token: token, object_id: opened.object_id, ...handed })
    })
  }

  /** Each holds some memory for as long as its client likes, so there are only so many. */
  private async inTurn(request: FastifyRequest, work: () => Promise<void>): Promise<void> {
    if (this.underWay >= this.settings.UPLOADS_AT_ONCE)
      throw new OperationError('overloaded', 'Too many uploads are under way here. Try again shortly.', {
        retry_after: 5,
      })
    this.underWay++
    try {
      allowTime(request.raw, this.settings.REQUEST_TIMEOUT_MS, LONGEST_MS)
      await work()
    } finally {
      this.underWay--
    }
  }
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

async function readAll(body: Readable, maxBytes: number): Promise<Buffer> {
  const read: Buffer[] = []
  let length = 0
  for await (const bytes of body.iterator({ destroyOnReturn: false })) {
    read.push(bytes as Buffer)
    length += (bytes as Buffer).length
    if (length > maxBytes)
      throw new OperationError('payload_too_large', 'The body is larger than this address takes.')
  }
  return Buffer.concat(read)
}
