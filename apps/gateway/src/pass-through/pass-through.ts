import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { OnApplicationShutdown } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.js'

/** Time after which an idle connection is closed, in milliseconds: less than servers and load balancers keep it open. */
const IDLE_MS = 4_000
/** Largest reply to a request whose copy is stored, in bytes. */
const COPIED_REPLY_BYTES = 65_536
/** Largest reply to other requests, and the longest time that it takes. */
const STREAM = { bytes: 1_073_741_824, ms: 600_000 }

/** Headers of one connection, of Bearing's proxies, and those with credentials of Bearing: HTTP clients add an `Authorization` from `.netrc`. */
const NOT_SENT =
  /^(?:authorization|connection|content-length|cookie|expect|forwarded|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:client-cert|x-forwarded|x-ssl).*)$/i
const VIA = '1.1 bearing'
/** Headers of the other service that a device receives; no cookies for Bearing's origin. */
const RETURNED = [
  ...['accept-ranges', 'content-encoding', 'content-length', 'content-range', 'content-type'],
  ...['etag', 'last-modified', 'location', 'retry-after'],
]

/** `refused`: the other service does not know the project key. `none`: it is not asked, or did not answer. */
export type PassedThrough = 'answered' | 'refused' | 'none'

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<void>
/** Sends a reply. */
type Send = () => FastifyReply

/** Sends requests of devices on to the service that their fleet comes from, during a trial: to the origin that the operator names. */
export class PassThrough implements OnApplicationShutdown {
  private readonly agents = {
    http: new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
    https: new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
  }
  private readonly active = { copied: 0, streamed: 0 }

  constructor(
    private readonly settings: Pick<
      Settings,
      'PASS_THROUGH' | 'PASS_THROUGH_TIMEOUT_MS' | 'CONCURRENT_PASS_THROUGHS'
    >,
    private readonly record: (outcome: string, durationMs: number) => void,
    private readonly warn: (error: unknown) => void,
  ) {}

  onApplicationShutdown(): void {
    this.agents.http.destroy()
    this.agents.https.destroy()
  }

  /** Returns the origin to which requests of a caller are sent on; undefined if there is none. */
  originFor({ caller, headers }: FastifyRequest): URL | undefined {
    const principal = caller?.principal
    if (principal?.kind !== 'project_key') return undefined
    // Otherwise an origin that leads back here would be asked again and again.
    return headers.via?.includes(VIA) ? undefined : this.settings.PASS_THROUGH.get(principal.project_id)
  }

  /** Answers a request whose copy is stored with the reply of the other service, if that is complete in time. */
  copied(request: FastifyRequest, reply: FastifyReply): Promise<PassedThrough> {
    return this.attempt(request, 'copied', async (response) => {
      if (classOf(response) === '3xx') throw new Error('it redirects')
      const pieces: Buffer[] = []
      for await (const piece of bounded(response, COPIED_REPLY_BYTES)) pieces.push(piece)
      return () => answer(reply, response).send(Buffer.concat(pieces))
    })
  }

  /** Answers a request with the reply of the other service as it arrives, if it begins in time. */
  streamed(request: FastifyRequest, reply: FastifyReply): Promise<PassedThrough> {
    return this.attempt(request, 'streamed', (response) => () => {
      const late = setTimeout(() => response.destroy(new Error('it takes too long')), STREAM.ms)
      response.once('close', () => {
        clearTimeout(late)
      })
      return answer(reply, response).send(Readable.from(bounded(response, STREAM.bytes)))
    })
  }

  /** Returns a handler that lets the other service answer first. */
  before(handle: Handle): Handle {
    return async (request, reply) => {
      if ((await this.streamed(request, reply)) !== 'answered') await handle(request, reply)
    }
  }

  /** @param read reads what has to arrive in time, and returns what sends it to the device */
  private async attempt(
    request: FastifyRequest,
    share: 'copied' | 'streamed',
    read: (response: IncomingMessage) => Send | Promise<Send>,
  ): Promise<PassedThrough> {
    const origin = this.originFor(request)
    if (!origin) return 'none'
    if (this.active[share] >= this.settings.CONCURRENT_PASS_THROUGHS) {
      this.record('busy', 0)
      this.warn(new Error('too many requests wait for it'))
      return 'none'
    }
    this.active[share]++
    const send = await this.ask(request, origin, read)
    if (typeof send === 'function')
      // Also if the device leaves before the end.
      await new Promise<void>((resolve) => {
        send().then(resolve, () => {
          resolve()
        })
      })
    this.active[share]--
    return typeof send === 'function' ? 'answered' : send
  }

  private async ask(
    request: FastifyRequest,
    origin: URL,
    read: (response: IncomingMessage) => Send | Promise<Send>,
  ): Promise<Send | Exclude<PassedThrough, 'answered'>> {
    const startedMs = performance.now()
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort()
    }, this.settings.PASS_THROUGH_TIMEOUT_MS)
    let unusable: IncomingMessage | undefined
    try {
      const response = await this.open(request, origin, late.signal)
      const { statusCode: status = 0 } = response
      if (status === 401 || status >= 500) {
        unusable = response
        throw new Error(`it answers ${String(status)}`)
      }
      const send = await read(response)
      this.record(classOf(response), performance.now() - startedMs)
      return send
    } catch (error) {
      const outcome = late.signal.aborted ? 'timeout' : unusable ? classOf(unusable) : 'unreachable'
      this.record(outcome, performance.now() - startedMs)
      this.warn(outcome === 'timeout' ? new Error('it has not answered in time') : error)
      late.abort()
      return unusable?.statusCode === 401 ? 'refused' : 'none'
    } finally {
      clearTimeout(timer)
    }
  }

  private open(request: FastifyRequest, origin: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, raw } = request
    const body = request.body as Buffer | undefined // the only content type parser keeps the bytes
    const headers = [...sentOn(raw), 'Host', origin.host, 'Via', VIA]
    if (method !== 'GET' && method !== 'HEAD') headers.push('Content-Length', String(body?.length ?? 0))
    const isSecure = origin.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const sent = (isSecure ? requestHttps : requestHttp)({
        ...urlToHttpOptions(origin),
        // Never resolved against the origin: the path of a device may begin with two slashes.
        ...{ method, path: raw.url, headers, signal },
        agent: isSecure ? this.agents.https : this.agents.http,
      })
      sent.once('response', resolve).on('error', reject).end(body)
    })
  }
}

/** Returns the headers of a device, names and values in turns, without those of its connection. */
function sentOn({ rawHeaders, headers: { connection = '' } }: FastifyRequest['raw']): string[] {
  const ofConnection = new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || NOT_SENT.test(name) || ofConnection.has(name.toLowerCase())
      ? []
      : [name, rawHeaders[at + 1] ?? ''],
  )
}

function answer(reply: FastifyReply, { statusCode = 0, headers }: IncomingMessage): FastifyReply {
  for (const name of RETURNED) if (headers[name] !== undefined) void reply.header(name, headers[name])
  return reply.code(statusCode)
}

async function* bounded(response: IncomingMessage, most: number): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > most) throw new Error('its reply is too large')
    yield piece
  }
}

function classOf({ statusCode = 0 }: IncomingMessage): string {
  return statusCode < 300 ? 'ok' : `${String(Math.floor(statusCode / 100))}xx`
}
