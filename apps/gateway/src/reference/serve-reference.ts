import { accessSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { compressedFile, sendCached, type StaticFile } from '../ground/static-files.js'
import { buildOpenApi } from './build-openapi.js'

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const

/** Allows nothing from other sites, and inline only the styles of the page's library. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
} as const

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Bearing: API reference</title>
    <link rel="icon" href="/docs/api/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/api/swagger-ui.css" />
  </head>
  <body>
    <a href="/docs">Documentation</a>
    <noscript>This page needs JavaScript. The OpenAPI document: <a href="/openapi.json">/openapi.json</a></noscript>
    <div id="reference"></div>
    <script src="/docs/api/swagger-ui-bundle.js"></script>
    <script src="/docs/api/start.js"></script>
  </body>
</html>
`

const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: false,
  // Entered credentials stay in this page.
  persistAuthorization: false,
})
`

/**
 * Serves the API reference: `/openapi.json`, and `/docs/api` to read it. It is public. Large bodies are built on the first request and
 * then kept.
 *
 * @param publicUrl URL that clients use for the gateway; empty if it is not set
 */
export function serveReference(server: FastifyInstance, publicUrl: string, projectKeyHeader?: string): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const page = (path: string, type: string, body: () => string | Buffer) => {
    let built: StaticFile | undefined
    server.get(path, (request, reply) => {
      void reply.headers(HEADERS)
      return sendCached(request, reply, (built ??= compressedFile(Buffer.from(body()), type)))
    })
  }
  page('/openapi.json', 'application/json', () => JSON.stringify(buildOpenApi(publicUrl, projectKeyHeader)))
  page('/docs/api', 'text/html; charset=utf-8', () => PAGE)
  page('/docs/api/start.js', 'text/javascript; charset=utf-8', () => START)
  for (const [name, type] of Object.entries(ASSETS)) {
    const file = join(folder, name)
    // Fails at startup if a file is missing.
    accessSync(file)
    page(`/docs/api/${name}`, type, () => readFileSync(file))
  }
}
