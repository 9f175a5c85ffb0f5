import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { OperationError } from '@bearing/contracts/errors'
import { problemOf } from '../problems/problem.js'
import { securityHeaders } from './security-headers.js'

export interface StartupOptions {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly requestTimeoutMs: number
  readonly https?: ServerOptions | undefined
}

/**
 * Responds to every request with 503 and `Retry-After` while the gateway waits for NATS. Without a response, a
 * starting gateway would look like a wrong URL.
 *
 * @returns frees the port
 * @throws if the port is taken
 */
export async function respondDuringStartup(options: StartupOptions): Promise<() => Promise<void>> {
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    // A reply before the end of the body could be lost with the connection.
    request.resume().once('end', () => {
      refuse(request, response, options.publicUrl)
    })
  }
  const { requestTimeoutMs: requestTimeout, https } = options
  const server = https
    ? createTlsServer({ ...https, requestTimeout }, respond)
    : createServer({ requestTimeout }, respond)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

function refuse({ method }: IncomingMessage, response: ServerResponse, publicUrl: string): void {
  const failure = new OperationError('service_unavailable', 'The service is starting. Try again shortly.')
  const id = randomUUID()
  const body = JSON.stringify(problemOf(failure, id, publicUrl, failure.status))
  response
    .writeHead(failure.status, {
      connection: 'close',
      'retry-after': '1',
      'x-request-id': id,
      'cache-control': 'no-store',
      ...securityHeaders(publicUrl),
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
    })
    .end(method === 'HEAD' ? undefined : body)
}
