import { createHash } from 'node:crypto'
import { VERSION } from '@bearing/contracts/version'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.js'
import { ENCODINGS, readDashboardFiles, type DashboardFile, type Encoding } from './dashboard-files.js'

/**
 * Paths that are answered with the page, which then shows what belongs to its path: the targets of links in mails, of redirects
 * after single sign-on, and the dashboard itself. Organizations are below `/app/o/`, because a slug may be any other word.
 */
const PAGE_PATHS = [
  '/sign-in',
  '/sign-on/switch',
  '/invitation',
  '/password-reset',
  '/partner',
  '/app',
  '/app/*',
]

/** Nothing inline, nothing from elsewhere, no text that becomes a script (Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self)',
  'referrer-policy': 'no-referrer',
  // A new version is seen at the next visit; until then the browser asks whether its copy is current.
  'cache-control': 'no-cache',
} as const

/** Names of assets contain a hash of what is in them. */
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'referrer-policy': 'no-referrer',
} as const

type Served = Pick<Settings, 'DASHBOARD' | 'PUBLIC_URL' | 'PROJECT_KEY_HEADERS'>

/** Serves the dashboard, if the setting `DASHBOARD` says so. */
export function serveDashboard(server: FastifyInstance, settings: Served): void {
  if (!settings.DASHBOARD) return
  const { page, assets } = readDashboardFiles()
  const etag = `"${createHash('sha256').update(page.bodies.identity).digest('base64url').slice(0, 22)}"`
  const servePage = (request: FastifyRequest, reply: FastifyReply) => {
    void reply.headers({ ...PAGE_HEADERS, etag, vary: 'accept-encoding' })
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : sendFile(request, reply, page)
  }
  for (const path of PAGE_PATHS) server.get(path, servePage)
  server.get('/', (_request, reply) => reply.headers(PAGE_HEADERS).redirect('/app', 302))
  const config = JSON.stringify(configOf(settings))
  server.get('/app/config.json', (_request, reply) =>
    reply.headers({ 'content-type': 'application/json', 'cache-control': 'no-cache' }).send(config),
  )
  for (const [path, file] of assets)
    server.get(path, (request, reply) =>
      sendFile(request, reply.headers({ ...ASSET_HEADERS, vary: 'accept-encoding' }), file),
    )
}

/** What pages need to know of this installation. Public. */
function configOf({ PUBLIC_URL, PROJECT_KEY_HEADERS }: Served) {
  return {
    version: VERSION,
    /** Empty: the address that the browser uses. */
    public_url: PUBLIC_URL,
    project_key_header: PROJECT_KEY_HEADERS[0],
  }
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bodies }: DashboardFile,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.header('content-type', type).send(bodies[encoding])
}

/** Returns the best coding that the client accepts; one with `q=0` is refused (RFC 9110 §12.5.3). */
function encodingFor(header: string | string[] | undefined): Encoding {
  const accepted = new Set(
    String(header ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => (part.split(';')[0] ?? '').trim().toLowerCase()),
  )
  return ENCODINGS.find((encoding) => accepted.has(encoding)) ?? 'identity'
}
