import { once } from 'node:events'
import { VERSION } from '@bearing/contracts/version'
import { serveHealth } from '@bearing/service/health'
import { NestLog } from '@bearing/service/logger'
import { openRuntime, type Runtime } from '@bearing/service/run-service'
import type { Values } from '@bearing/service/settings'
import { onShutdown } from '@bearing/service/shutdown'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { Authenticator } from './authentication/authenticator.js'
import type { CONFIG } from './config.js'
import { GatewayModule } from './gateway.module.js'
import { createHttpServer } from './http-server.js'
import { ProblemFilter } from './problem/problem-filter.js'
import { serveReference } from './reference/serve-reference.js'
import { logRequests } from './request-log.js'

/** Runs the gateway until SIGTERM. */
export async function runGateway(settings: Values<typeof CONFIG>): Promise<void> {
  const runtime = await openRuntime('gateway', settings)
  const { connection, logger, metrics } = runtime
  const app = await createApp(settings, runtime)
  // Health comes last: whoever reads "ready" there may send requests.
  await app.listen(settings.PORT, settings.HOST)
  const health = await serveHealth({
    host: settings.HEALTH_HOST,
    port: settings.HEALTH_PORT,
    alive: () => !connection.raw.isClosed(),
    checks: [{ name: 'nats', check: () => connection.ping() }],
    metrics,
  })
  logger.info({ version: VERSION, port: settings.PORT }, 'gateway is ready')
  onShutdown(logger, settings.SHUTDOWN_TIMEOUT_MS, async () => {
    await app.close()
    await connection.drain()
    health.closeAllConnections()
    health.close()
    await once(health, 'close')
  })
}

async function createApp(settings: Values<typeof CONFIG>, runtime: Runtime): Promise<NestFastifyApplication> {
  const { client, connection, logger, metrics } = runtime
  const authenticator = new Authenticator(client, connection, logger, {
    ttlMs: settings.CREDENTIAL_CACHE_TTL_MS,
    maxEntries: settings.CREDENTIAL_CACHE_ENTRIES,
  })
  const adapter = createHttpServer({
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    trustedProxies: settings.TRUSTED_PROXIES,
  })
  const app = await NestFactory.create<NestFastifyApplication>(
    GatewayModule.with({ client, authenticator, projectKeyHeaders: settings.PROJECT_KEY_HEADERS }),
    adapter,
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  )
  app.useGlobalFilters(new ProblemFilter(settings.PUBLIC_URL, logger))
  const server = adapter.getInstance()
  logRequests(server, logger, metrics)
  serveReference(server, settings.PUBLIC_URL)
  await app.init()
  return app
}
