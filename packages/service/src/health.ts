import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.js'

/** Something a service cannot work without. */
export interface HealthCheck {
  readonly name: string
  /** Rejects where it does not work at the moment. */
  readonly check: () => Promise<unknown>
}

/** How long a check may take, in milliseconds. */
const CHECK_TIMEOUT_MS = 2_000

/**
 * Serves `/livez` (restart me when this fails), `/readyz` (send me no work while this fails) and `/metrics`.
 *
 * @param alive whether the process can recover by itself; a lost connection that is being restored is alive
 */
export async function serveHealth(options: {
  readonly host: string
  readonly port: number
  readonly alive: () => boolean
  readonly checks: readonly HealthCheck[]
  readonly metrics: Metrics
}): Promise<Server> {
  const server = createServer((request, response) => {
    const send = (status: number, body: string, type = 'application/json') => {
      response
        .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
        .end(body)
    }
    const fail = () => {
      send(500, '{}')
    }
    switch (request.url) {
      case '/livez':
        send(options.alive() ? 200 : 503, JSON.stringify({ alive: options.alive() }))
        break
      case '/readyz':
        readiness(options.checks).then((states) => {
          send(Object.values(states).every((state) => state === 'ok') ? 200 : 503, JSON.stringify(states))
        }, fail)
        break
      case '/metrics':
        options.metrics.registry.metrics().then((text) => {
          send(200, text, options.metrics.registry.contentType)
        }, fail)
        break
      default:
        send(404, '{}')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return server
}

async function readiness(checks: readonly HealthCheck[]): Promise<Record<string, string>> {
  const states = await Promise.all(
    checks.map(async ({ name, check }) => [name, (await answers(check)) ? 'ok' : 'unavailable'] as const),
  )
  return Object.fromEntries(states)
}

async function answers(check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => {
      resolve(false)
    }, CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([check().then(() => true), timeout])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
