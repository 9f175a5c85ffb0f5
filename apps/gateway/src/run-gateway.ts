import { randomUUID } from 'node:crypto'
import type { Server, ServerOptions } from 'node:https'
import { VERSION } from '@bearing/contracts/version'
import type { HealthCheck } from '@bearing/service/observe/health'
import { reportToOperators } from '@bearing/service/observe/process-report'
import { NestLog } from '@bearing/service/observe/logger'
import { openRuntime } from '@bearing/service/run/run-service'
import type { Runtime } from '@bearing/service/observe/runtime'
import { RuntimeModule } from '@bearing/service/run/runtime-module'
import { onShutdown } from '@bearing/service/run/shutdown'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { AdmitRequests } from './authorize/admit-requests.js'
import type { Settings } from './config.js'
import { serveDashboard } from './dashboard/serve-dashboard.js'
import { allowOtherOrigins } from './ground/cross-origin.js'
import { forwardRoutes } from './forward/forward-routes.js'
import { Forwarding } from './forward/forward.js'
import { GatewayModule } from './gateway.module.js'
import { PassThrough } from './pass-through/pass-through.js'
import { serveOtherRoutes } from './pass-through/serve-other-routes.js'
import { serveDocumentation } from './reference/serve-documentation.js'
import { serveWellKnown } from './sessions/serve-well-known.js'
import { SameOriginCheck } from './authenticate/browser/same-origin.js'
import { serveReference } from './reference/serve-reference.js'
import { BodyMemory } from './server/bodies/body-memory.js'
import { CompressedBytes } from './ground/limits/compressed-bytes.js'
import { chargeCompressed } from './server/bodies/charge-compressed.js'
import { boundBodies } from './server/bodies/bound-bodies.js'
import { createHttpServer } from './server/http-server.js'
import { requestLog } from './server/request-log.js'
import { RequestTraces } from './server/request-traces.js'
import { settingsWarnings } from './server/settings-warnings.js'
import { respondDuringStartup } from './server/startup-responder.js'
import { followTls, readTls, type TlsFiles } from './server/tls.js'
import { ByteRoutes } from './uploads/byte-routes.js'

/**
 * Time for which a gateway stays in the load balancer without NATS, in milliseconds. Changing to another server takes less; otherwise
 * all gateways would leave together, and devices would get the error of the load balancer. See decision 74.
 */
const NATS_TOLERATED_MS = 15_000

export interface GatewayOptions {
  /** True if other processes use the port (default: false). It then listens only once it is ready: another may be ready. */
  readonly isShared?: boolean
  /** Checks that must pass, beside NATS, before the process is ready (default: none). */
  readonly needs?: readonly HealthCheck[]
}

/** Runs the gateway until SIGTERM. */
export async function runGateway(
  settings: Settings,
  { isShared = false, needs = [] }: GatewayOptions = {},
): Promise<void> {
  const address = { host: settings.HOST, port: settings.PORT }
  const files = tlsFiles(settings)
  const https = files && readTls(files)
  const endStartup = isShared
    ? undefined
    : await respondDuringStartup({
        ...address,
        publicUrl: settings.PUBLIC_URL,
        requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
        https,
      })
  const runtime = await openRuntime('gateway', settings, NATS_TOLERATED_MS)
  const { connection, logger, health } = runtime
  health.need(...needs)
  const app = await createApp(settings, runtime, https)
  await endStartup?.()
  // Nest does not declare `reusePort`, and hands it to Node.
  const options = { ...address, reusePort: isShared }
  await app.listen(options)
  const endFollowing = files && followTls(app.getHttpServer() as Server, files, logger)
  health.started()
  const description = 'Answers HTTP, and asks the other services over NATS.'
  reportToOperators(runtime, settings, { name: 'gateway', id: randomUUID(), description })
  for (const warning of settingsWarnings(settings)) logger.warn(warning)
  logger.info({ version: VERSION, port: settings.PORT }, 'gateway is ready')
  onShutdown(logger, settings, health, async () => {
    endFollowing?.()
    await app.close()
    await connection.drain()
  })
}

/** @throws if one of the two is missing, or client certificates have nowhere to come from */
function tlsFiles({
  TLS_CERT_FILE: cert,
  TLS_KEY_FILE: key,
  CLIENT_CERTIFICATES: source,
  TRUSTED_PROXIES: proxies,
}: Settings): TlsFiles | undefined {
  if ((cert === '') !== (key === ''))
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE are set together, or neither.')
  if (source === 'tls' && cert === '') throw new Error('CLIENT_CERTIFICATES=tls needs TLS_CERT_FILE.')
  if (!['off', 'tls'].includes(source) && proxies.length === 0)
    throw new Error(`CLIENT_CERTIFICATES=${source} needs TRUSTED_PROXIES, which send the certificates.`)
  return cert === '' ? undefined : { cert, key, asksForCertificates: source === 'tls' }
}

async function createApp(
  settings: Settings,
  runtime: Runtime,
  https: ServerOptions | undefined,
): Promise<NestFastifyApplication> {
  const { logger, metrics, health } = runtime
  const adapter = createHttpServer({
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    https,
    trustedProxies: settings.TRUSTED_PROXIES,
    publicUrl: settings.PUBLIC_URL,
    isLeaving: () => health.isStopping,
    log: requestLog(logger, metrics),
    traces: new RequestTraces(settings.OTEL_TRACES_SAMPLER_ARG),
  })
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: GatewayModule, imports: [RuntimeModule.with(runtime, settings)] },
    adapter,
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  )
  const server = adapter.getInstance()
  app.get(AdmitRequests).addTo(server)
  allowOtherOrigins(server)
  boundBodies(server, app.get(BodyMemory))
  chargeCompressed(server, app.get(CompressedBytes))
  serveReference(server, settings.PUBLIC_URL, settings.PROJECT_KEY_HEADERS[0])
  serveDocumentation(server)
  serveWellKnown(server, runtime.client, app.get(SameOriginCheck))
  serveDashboard(server, settings)
  const passThrough = app.get(PassThrough)
  forwardRoutes(server, app.get(Forwarding), passThrough)
  serveOtherRoutes(server, passThrough, settings)
  app.get(ByteRoutes).addTo(server)
  await app.init()
  return app
}
