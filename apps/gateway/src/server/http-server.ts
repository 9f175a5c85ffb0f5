import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OperationError, type ErrorCode } from '@bearing/contracts/errors'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../problems/problem.js'
import { toOperationError } from '../problems/to-operation-error.js'
import type { RequestLog } from './request-log.js'
import type { RequestTraces } from './request-traces.js'
import { securityHeaders } from './security-headers.js'

/** The largest body of any route. Each route has its own limit below that. */
const LARGEST_BODY = Math.max(...(Object.values(ROUTES) as Route[]).map((route) => route.bodyLimit))
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Connections with a request whose reader limits the time. */
const patient = new WeakSet<Socket>()

/** Exempts a request from the time in which requests have to arrive: its reader limits how long it waits for the client. */
export function leaveTimeToReader(request: IncomingMessage): void {
  const { socket } = request
  patient.add(socket)
  request.once('close', () => patient.delete(socket))
}

export interface HttpServerOptions {
  readonly requestTimeoutMs: number
  /** TLS options of the server (default: it speaks plain HTTP). */
  readonly https?: ServerOptions | undefined
  /** IP addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** URL that clients use for the gateway; empty if it is not set. */
  readonly publicUrl: string
  /** True if the process is about to stop: connections then end with their reply, and clients connect elsewhere. */
  readonly isLeaving: () => boolean
  readonly log: RequestLog
  readonly traces: RequestTraces
}

/** Creates the HTTP server, configured for the clients in the field. */
export function createHttpServer(options: HttpServerOptions): FastifyAdapter {
  const { requestTimeoutMs, trustedProxies, publicUrl, https } = options
  const adapter = new FastifyAdapter({
    ...(https && { https }),
    bodyLimit: LARGEST_BODY,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000, // longer than the usual 60 s of load balancers, so they never use a closed socket
    routerOptions: {
      ignoreDuplicateSlashes: true, // some clients send //api/v0/…
      ignoreTrailingSlash: true,
      maxParamLength: 256,
    },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: (request: IncomingMessage) => {
      const id = request.headers['x-request-id']
      return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID()
    },
    forceCloseConnections: 'idle',
    skipMiddie: true, // there is no Express middleware
    // While the server stops, requests on open connections are still answered.
    return503OnClosing: false,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      answerUnreadable(error, socket, publicUrl)
    },
    // An unreadable request never reaches Nest and its filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const failure = toOperationError(error)
      const problem = problemOf(failure, request.id, publicUrl, failure.status)
      void reply
        .code(problem.status)
        .header('x-request-id', request.id)
        .headers(securityHeaders(publicUrl, request.protocol))
        .header('content-type', 'application/problem+json')
        .send(JSON.stringify(problem))
    },
  })
  prepareServer(adapter.getInstance(), options)
  return adapter
}

function prepareServer(
  server: FastifyInstance,
  { publicUrl, isLeaving, log, traces }: HttpServerOptions,
): void {
  server.decorateRequest('route', undefined)
  server.decorateRequest('caller', undefined)
  server.decorateRequest('authorized', undefined)
  server.decorateRequest('organizationId', undefined)
  server.decorateRequest('traceparent', '')
  server.decorateRequest('span', undefined)
  server.decorateRequest('clientTrace', undefined)
  server.addHook('onRoute', (options) => {
    const { route } = options.config ?? {}
    if (route) options.bodyLimit = route.bodyLimit
  })
  const shutdown = new GracefulShutdown(server.server)
  // The first hook of each request: a hook that refuses a request ends its chain.
  server.addHook('onRequest', (request, reply, next) => {
    traces.begin(request)
    const forwardedFor = request.headers['x-forwarded-for']
    // Before anything reads `request.ip`, which is derived from it.
    if (typeof forwardedFor === 'string') request.raw.headers['x-forwarded-for'] = withoutPorts(forwardedFor)
    void reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .headers(securityHeaders(publicUrl, request.protocol))
    shutdown.started()
    // RFC 9112 §3.2: proxies may have read the other one.
    const hasTwoHosts = (request.raw.headersDistinct['host']?.length ?? 0) > 1
    // Fastify's `onResponse` is not called if the client leaves before the reply.
    reply.raw.once('close', () => {
      request.bodyShare?.release()
      log(request, reply)
      traces.end(request, reply)
      shutdown.ended()
    })
    next(
      hasTwoHosts
        ? new OperationError('invalid_input', 'The request has more than one Host header.')
        : undefined,
    )
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (shutdown.isStopping || isLeaving()) reply.header('connection', 'close')
    done()
  })
  server.addHook('preClose', () => shutdown.begin())
}

/** Closes idle connections once the last request of a stopping server has ended: load balancers keep some open for ever. */
class GracefulShutdown {
  isStopping = false
  private requests = 0

  constructor(private readonly server: Server) {}

  started(): void {
    this.requests++
  }

  ended(): void {
    this.requests--
    // The reply has to leave the process first.
    if (this.isStopping) setImmediate(() => this.closeIfIdle())
  }

  async begin(): Promise<void> {
    this.isStopping = true
    // Reads and answers requests that have arrived: that takes a whole turn of the event loop.
    await nextTurn()
    await nextTurn()
    this.closeIfIdle()
  }

  private closeIfIdle(): void {
    if (this.requests === 0) this.server.closeAllConnections()
  }
}

/** Answers data that is not HTTP, as Node itself would, but with a problem document. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Devices do not repeat a request after a 4xx, such as 408. One that was only too slow may be repeated.
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [
          '431 Request Header Fields Too Large',
          'The URL and the headers together are too large: at most 16 KiB.',
        ]
      : isLate
        ? ['503 Service Unavailable', 'The request was not received in time. Try again.']
        : ['400 Bad Request', 'This is not a well-formed HTTP request.']
  const reason: ErrorCode = isLate
    ? 'service_unavailable'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : 'invalid_input'
  const code = Number.parseInt(status, 10)
  const id = randomUUID()
  const body = JSON.stringify(problemOf(new OperationError(reason, detail), id, publicUrl, code))
  const headers = {
    Connection: 'close',
    ...(isLate && { 'Retry-After': '1' }),
    'X-Request-Id': id,
    ...securityHeaders(publicUrl),
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}

const IPV4_PORT = /^(?<host>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
/** An IPv6 address in brackets, with or without a port. */
const BRACKETED = /^\[(?<host>[0-9a-f:.]+)\](?::\d{1,5})?$/i

/**
 * Removes the ports that some load balancers add to the addresses of `X-Forwarded-For`. With its port, a client would count as a
 * new one with every connection.
 */
export function withoutPorts(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => (IPV4_PORT.exec(entry) ?? BRACKETED.exec(entry))?.groups?.['host'] ?? entry)
    .join(', ')
}
