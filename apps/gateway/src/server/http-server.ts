import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErrorCode } from '@bearing/contracts/errors'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../problems/problem.js'
import { withoutPorts } from './forwarded-for.js'
import { traceOf } from '../ground/origin.js'
import { toOperationError } from '../problems/to-operation-error.js'
import { securityHeaders } from './security-headers.js'

/** Largest body of any route; each route has a limit of its own below that. */
const LARGEST_BODY = Math.max(...(Object.values(ROUTES) as Route[]).map((route) => route.bodyLimit))
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Connections on which a body comes that may take longer than a request. */
const patient = new WeakSet<Socket>()

/**
 * Gives a request longer than any other to send its body, as long as something of it comes.
 *
 * @param idleMs after so many milliseconds without anything the connection ends
 * @param totalMs and after so many it ends in any case
 */
export function allowTime(request: IncomingMessage, idleMs: number, totalMs: number): void {
  const { socket } = request
  const end = () => {
    socket.destroy()
  }
  const timer = setTimeout(end, totalMs)
  patient.add(socket)
  socket.setTimeout(idleMs, end)
  request.once('close', () => {
    clearTimeout(timer)
    patient.delete(socket)
    socket.removeListener('timeout', end)
    socket.setTimeout(0)
  })
}

/** How the HTTP server treats clients. */
export interface HttpServerOptions {
  readonly requestTimeoutMs: number
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Address that clients reach the gateway at; empty if it is not set. */
  readonly publicUrl: string
  /** Whether the process is about to stop: connections then end with their reply, and clients make others elsewhere. */
  readonly isLeaving: () => boolean
}

/** The HTTP server, as clients in the field need it. */
export function createHttpServer(options: HttpServerOptions): FastifyAdapter {
  const { requestTimeoutMs, trustedProxies, publicUrl, isLeaving } = options
  const adapter = new FastifyAdapter({
    bodyLimit: LARGEST_BODY,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000, // longer than the usual 60 s of load balancers, which would otherwise meet closed sockets
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
    // While stopping, what still comes in on open connections is answered like any other request.
    return503OnClosing: false,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      answerUnreadable(error, socket, publicUrl)
    },
    // What the router cannot even read never reaches Nest and its filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const failure = toOperationError(error)
      const problem = problemOf(failure, request.id, '', failure.status)
      void reply
        .code(problem.status)
        .header('x-request-id', request.id)
        .headers(securityHeaders(publicUrl, request.protocol))
        .header('content-type', 'application/problem+json')
        .send(JSON.stringify(problem))
    },
  })
  const server = adapter.getInstance()
  server.decorateRequest('caller', undefined)
  server.decorateRequest('authorized', undefined)
  server.decorateRequest('organizationId', undefined)
  server.decorateRequest('traceparent', '')
  server.addHook('onRoute', (route) => {
    const name = (route.config as { name?: keyof typeof ROUTES } | undefined)?.name
    if (name) route.bodyLimit = ROUTES[name].bodyLimit
  })
  server.addHook('onRequest', (request, reply, next) => {
    request.traceparent = traceOf(request.headers['traceparent'])
    const forwardedFor = request.headers['x-forwarded-for']
    // Before anybody asks for the address: it is read from here each time.
    if (typeof forwardedFor === 'string') request.raw.headers['x-forwarded-for'] = withoutPorts(forwardedFor)
    void reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .headers(securityHeaders(publicUrl, request.protocol))
    next()
  })
  endConnectionsWhileStopping(server, isLeaving)
  return adapter
}

/**
 * From the moment on at which the process is told to stop, every connection ends with its reply: whoever is pinned to this
 * process by a connection learns to go elsewhere while it still takes requests. At the end of that time those on which
 * nothing was asked end at once: load balancers open some in advance, and they would hold up the end for ever.
 */
function endConnectionsWhileStopping(server: FastifyInstance, isLeaving: () => boolean): void {
  let stopping = false
  let underWay = 0
  const endIfIdle = () => {
    if (stopping && underWay === 0) server.server.closeAllConnections()
  }
  server.addHook('onRequest', (_request, reply, next) => {
    underWay++
    // Fastify's own hook is not called where the client has gone before the end.
    reply.raw.once('close', () => {
      underWay--
      // Not before the reply has left the process.
      if (stopping) setImmediate(endIfIdle)
    })
    next()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping || isLeaving()) reply.header('connection', 'close')
    done()
  })
  server.addHook('preClose', async () => {
    stopping = true
    // What has come in by now is read first, and answered: a whole turn of the event loop, wherever in one this is.
    await nextTurn()
    await nextTurn()
    endIfIdle()
  })
}

/** What is no HTTP gets a short answer, as Node itself would give, but as a problem document. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Devices take every 4xx for final, 408 as well: what was only too slow may come again.
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : isLate
        ? ['503 Service Unavailable', 'The request did not come in time. Try again.']
        : ['400 Bad Request', 'This is not a well-formed HTTP request.']
  const reason: ErrorCode = isLate ? 'service_unavailable' : 'invalid_input'
  const code = Number.parseInt(status, 10)
  const id = randomUUID()
  const body = JSON.stringify({
    type: 'about:blank',
    title: status.slice(4),
    status: code,
    detail,
    code: reason,
    request_id: id,
    error: { code: reason, http_code: code, message: detail, type: 'about:blank' },
  })
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
