import { clientNetwork, clientNetworkPath } from '@bearing/access/client-network'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyMemory, BodyShare, Sender } from './body-memory.js'
import { readBody } from './read-body.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory that the body takes until the reply is sent. Set for every request with a body. */
    bodyShare?: BodyShare
  }
}

/** Reads the bodies of all routes within the memory that there is for them. Bodies stay bytes: nothing is parsed here. */
export function boundBodies(server: FastifyInstance, memory: BodyMemory): void {
  server.decorateRequest('bodyShare', undefined)
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request)) request.bodyShare = memory.open(senderOf(request))
    done(null, payload)
  })
  server.removeAllContentTypeParsers()
  // JSON is what most send; for anything that only matches `*`, Fastify parses the content type each time.
  server.addContentTypeParser(['application/json', '*'], (request: FastifyRequest) =>
    readRequestBody(request, request.routeOptions.bodyLimit),
  )
}

/**
 * Reads the body of a request.
 *
 * @throws as {@link readBody}
 */
export async function readRequestBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  if (!request.bodyShare) return Buffer.alloc(0)
  return readBody(request.raw, limit, request.bodyShare)
}

function hasBody({ headers }: FastifyRequest): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

function senderOf({ caller, ip }: FastifyRequest): Sender {
  const principal = caller?.principal
  // The owner of a prefix has thousands of client networks, and must not keep all others from signing in.
  if (!principal || principal.kind === 'service') return ['anonymous', ...clientNetworkPath(ip)]
  const owner = principal.kind === 'user' ? principal.user_id : principal.organization_id
  return [owner, `${principal.credential_id}|${clientNetwork(ip)}`]
}
