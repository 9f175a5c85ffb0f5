import { OperationError } from '@bearing/contracts/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HASHED, REVALIDATED, sendCached, sendFile } from '../ground/static-files.js'
import { documentationFiles } from './documentation-files.js'

/** Nothing inline, nothing from elsewhere, no text that becomes a script (Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS = {
  ...REVALIDATED,
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept, accept-encoding',
} as const

/** Pictures have styles of their own, and load nothing. */
const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  vary: 'accept-encoding',
} as const

/**
 * Serves the documentation below `/docs`: a page to browsers, its Markdown to programs. It is public, and needs no setting: the
 * `type` of a problem leads here.
 */
export function serveDocumentation(server: FastifyInstance): void {
  const { pages, files, missing } = documentationFiles()
  const serve = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url)
    const file = files.get(path)
    if (file) {
      void reply.headers({ ...FILE_HEADERS, ...(file.isHashed ? HASHED : REVALIDATED) })
      return file.isHashed ? sendFile(request, reply, file.read()) : sendCached(request, reply, file.read())
    }
    const page = pages.get(path)
    const isBrowser = request.headers.accept?.includes('text/html') === true
    if (!page && !isBrowser)
      throw new OperationError('route_not_found', 'There is no such page. /docs lists all pages.')
    void reply.headers(PAGE_HEADERS)
    if (!page) return sendFile(request, reply.code(404), missing())
    return sendCached(request, reply, isBrowser ? page.html() : page.markdown())
  }
  server.get('/docs', serve)
  server.get('/docs/*', serve)
}

/** Returns the path without query, doubled and trailing slashes, which the router ignores too. */
function pathOf(url: string): string {
  return (url.split('?')[0] ?? '').replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
}
