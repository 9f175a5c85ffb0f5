import { fileURLToPath } from 'node:url'
import { VERSION } from '@bearing/contracts/version'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.js'
import { HASHED, REVALIDATED, sendCached, sendFile } from '../ground/static-files.js'
import { readDashboardFiles } from './dashboard-files.js'
import { hasMapFile, MAP_FILE_PATH, serveMapFile } from './serve-map-file.js'

/**
 * Paths that are answered with the page, which then shows what belongs to its path: the targets of links in mails, of redirects
 * after single sign-on, and the dashboard itself. Organizations are below `/app/o/`, because a slug may be any other word.
 */
const PAGE_PATHS = [
  '/sign-in',
  '/sign-on/switch',
  '/invitation',
  '/password-reset',
  '/email-change',
  '/partner',
  '/command-line',
  '/app',
  '/app/*',
]

/**
 * Nothing inline, nothing from elsewhere, no text that becomes a script (Trusted Types). The only other origin is that of the map
 * which the operator has configured.
 */
function policyOf(mapUrl: string): string {
  const map = mapUrl === '' ? '' : ` ${new URL(mapUrl).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${map}`,
    "font-src 'self'",
    `connect-src 'self'${map}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self)',
  ...REVALIDATED,
} as const

type Served = Pick<
  Settings,
  'DASHBOARD' | 'PUBLIC_URL' | 'PROJECT_KEY_HEADERS' | 'MAP_URL' | 'MAP_ATTRIBUTION'
>

/** Serves the dashboard, if the setting `DASHBOARD` says so. */
export function serveDashboard(server: FastifyInstance, settings: Served): void {
  if (!settings.DASHBOARD) return
  const { page, assets, notices } = readDashboardFiles()
  const isFile = settings.MAP_URL.startsWith('file:')
  const mapFile = isFile ? fileURLToPath(settings.MAP_URL) : ''
  const policy = { 'content-security-policy': policyOf(isFile ? '' : settings.MAP_URL) }
  const pageHeaders = { ...PAGE_HEADERS, ...policy }
  const servePage = (request: FastifyRequest, reply: FastifyReply) =>
    sendCached(request, reply.headers({ ...pageHeaders, vary: 'accept-encoding' }), page)
  for (const path of PAGE_PATHS) server.get(path, servePage)
  server.get('/', (_request, reply) => reply.headers(pageHeaders).redirect('/app', 302))
  serveMapFile(server, mapFile)
  server.get('/app/config.json', async (_request, reply) => {
    const fileUrl = (await hasMapFile(mapFile)) ? MAP_FILE_PATH : ''
    const config = configOf(isFile ? { ...settings, MAP_URL: fileUrl } : settings)
    return reply
      .headers({ 'content-type': 'application/json', 'cache-control': 'no-cache' })
      .send(JSON.stringify(config))
  })
  server.get('/app/third-party-notices.txt', (request, reply) =>
    sendFile(request, reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }), notices),
  )
  for (const [path, file] of assets)
    server.get(path, (request, reply) =>
      // A worker keeps to the policy that its script came with.
      sendFile(request, reply.headers({ ...HASHED, ...policy, vary: 'accept-encoding' }), file),
    )
}

/** Returns the public configuration of this installation for pages. */
function configOf({ PUBLIC_URL, PROJECT_KEY_HEADERS, MAP_URL, MAP_ATTRIBUTION }: Served) {
  return {
    version: VERSION,
    /** Empty: the address that the browser uses. */
    public_url: PUBLIC_URL,
    project_key_header: PROJECT_KEY_HEADERS[0],
    map_url: MAP_URL,
    map_attribution: MAP_ATTRIBUTION,
  }
}
