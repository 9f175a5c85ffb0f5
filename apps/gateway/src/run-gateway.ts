import { VERSION } from '@bearing/contracts/version'
import { NestLog } from '@bearing/service/logger'
import { openRuntime, type Runtime } from '@bearing/service/run-service'
import type { Values } from '@bearing/service/settings'
import { onShutdown } from '@bearing/service/shutdown'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { Admission } from './authentication/admission.js'
import { Authenticator } from './authentication/authenticator.js'
import { TokenUses } from './authentication/token-uses.js'
import type { CONFIG } from './config.js'
import { GatewayModule } from './gateway.module.js'
import { createHttpServer } from './http-server.js'
import { ProblemFilter } from './problem/problem-filter.js'
import { serveReference } from './reference/serve-reference.js'
import { logRequests } from './request-log.js'
import type { RouteConfig } from './routing/route-config.js'

/** Runs the gateway until SIGTERM. */
export async function runGateway(settings: Values<typeof CONFIG>): Promise<void> {
  const runtime = await openRuntime('gateway', settings)
  const { client, connection, logger, health } = runtime
  const uses = new TokenUses(client, logger)
  const app = await createApp(settings, runtime, uses)
  uses.start(settings.TOKEN_USE_INTERVAL_MS)
  await app.listen(settings.PORT, settings.HOST)
  health.started()
  logger.info({ version: VERSION, port: settings.PORT }, 'gateway is ready')
  onShutdown(logger, settings, health, async () => {
    await app.close()
    await uses.stop()
    await connection.drain()
  })
}

async function createApp(
  settings: Values<typeof CONFIG>,
  runtime: Runtime,
  uses: TokenUses,
): Promise<NestFastifyApplication> {
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
    GatewayModule.with({ client, authenticator, uses, projectKeyHeaders: settings.PROJECT_KEY_HEADERS }),
    adapter,
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  )
  app.useGlobalFilters(new ProblemFilter(settings.PUBLIC_URL, logger))
  const server = adapter.getInstance()
  // A hook and not a Nest guard, because guards run after the body was read.
  server.addHook('onRequest', async (request) => {
    if ((request.routeOptions.config as Partial<RouteConfig>).name !== undefined)
      await app.get(Admission).admit(request)
  })
  logRequests(server, logger, metrics)
  serveReference(server, settings.PUBLIC_URL, settings.PROJECT_KEY_HEADERS[0])
  await app.init()
  return app
}
