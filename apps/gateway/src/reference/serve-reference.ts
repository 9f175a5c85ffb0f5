import type { FastifyInstance } from 'fastify'
import { compressedFile, sendCached, type StaticFile } from '../ground/static-files.js'
import { buildOpenApi } from './build-openapi.js'

const HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
} as const

/**
 * Serves `/openapi.json`, which is public. It is built on the first request and then kept. The pages of the API reference are among those
 * of the documentation.
 *
 * @param publicUrl URL that clients use for the gateway; empty if it is not set
 */
export function serveReference(server: FastifyInstance, publicUrl: string, projectKeyHeader?: string): void {
  let built: StaticFile | undefined
  server.get('/openapi.json', (request, reply) => {
    void reply.headers(HEADERS)
    built ??= compressedFile(
      Buffer.from(JSON.stringify(buildOpenApi(publicUrl, projectKeyHeader))),
      'application/json',
    )
    return sendCached(request, reply, built)
  })
}
