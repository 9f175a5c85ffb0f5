import { IdentityClient } from '@bearing/client-nats/identity-client'
import { CHUNK_STREAM } from '@bearing/contracts/streams'
import { VERSION } from '@bearing/contracts/version'
import { NestLog } from '@bearing/service/logger'
import type { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import { RateLimits } from '@bearing/service/rate-limits'
import { openRuntime, type Runtime } from '@bearing/service/run-service'
import type { Values } from '@bearing/service/settings'
import { onShutdown } from '@bearing/service/shutdown'
import { warnSeldom } from '@bearing/service/warn-seldom'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { FastifyInstance } from 'fastify'
import { answerWhileWaiting } from './server/startup-responder.js'
import { AccessRefusals } from './authenticate/access-refusals.js'
import { Admission } from './authenticate/admission.js'
import { announceRetirement } from './authenticate/deprecation-headers.js'
import { Authenticator } from './authenticate/authenticator.js'
import { TokenUses } from './authenticate/token-uses.js'
import { BodyMemory } from './server/bodies/body-memory.js'
import { boundBodies } from './server/bodies/bound-bodies.js'
import type { CONFIG } from './config.js'
import { DataPolicies } from './chunks/policies/data-policies.js'
import { GatewayModule } from './gateway.module.js'
import { createHttpServer } from './server/http-server.js'
import { announce } from './ground/limits/add-limit-headers.js'
import { FailedCredentials } from './ground/limits/failed-credentials.js'
import { OrganizationQuota } from './ground/limits/organization-quota.js'
import { RequestQuota } from './ground/limits/request-quota.js'
import { StrangerQuota } from './ground/limits/anonymous-quota.js'
import { ProblemFilter } from './problems/problem-filter.js'
import { serveReference } from './reference/serve-reference.js'
import { logRequests } from './server/request-log.js'
import { OwnPages } from './authenticate/browser/same-origin.js'
import { Authorization } from './authorize/authorization.js'
import { Forwarding } from './forward/forward.js'
import type { RouteConfig } from './ground/route-config.js'
import { settingsWarnings } from './server/settings-warnings.js'
import { takeBytes } from './uploads/byte-routes.js'

const UNREAD_POLICY = 'a data policy could not be read: its quotas are not counted'

/** Runs the gateway until SIGTERM. */
export async function runGateway(settings: Values<typeof CONFIG>): Promise<void> {
  const endWaiting = await answerWhileWaiting({
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
  })
  const runtime = await openRuntime('gateway', settings)
  const { client, connection, logger, metrics, health } = runtime
  const limits = await RateLimits.open(settings.REDIS_URL, logger, metrics)
  const uses = new TokenUses(client, logger)
  const refusals = new AccessRefusals(client, logger)
  const app = await createApp(settings, runtime, { uses, refusals, limits })
  uses.telling.start(settings.TOKEN_USE_INTERVAL_MS)
  refusals.telling.start(settings.REFUSAL_INTERVAL_MS)
  await endWaiting()
  await app.listen(settings.PORT, settings.HOST)
  health.started()
  for (const warning of settingsWarnings(settings)) logger.warn(warning)
  logger.info({ version: VERSION, port: settings.PORT }, 'gateway is ready')
  onShutdown(logger, settings, health, async () => {
    await app.close()
    await Promise.all([uses.telling.stop(), refusals.telling.stop()])
    limits.close()
    await connection.drain()
  })
}

/** What is made before the server, and ended after it. */
interface Kept {
  readonly uses: TokenUses
  readonly refusals: AccessRefusals
  readonly limits: RateLimits
}

function identityClient(settings: Values<typeof CONFIG>, { connection, logger }: Runtime): IdentityClient {
  return new IdentityClient(connection, {
    ttlMs: settings.CREDENTIAL_CACHE_TTL_MS,
    maxEntries: settings.CREDENTIAL_CACHE_ENTRIES,
    warn: (error) => {
      logger.warn({ err: error }, 'an event about credentials could not be read')
    },
  })
}

/** Where chunks go. */
function chunkQueue(connection: Connection): { store: MessageStore; queue: QueueShares } {
  const store = new MessageStore(connection)
  return { store, queue: new QueueShares(connection, store, CHUNK_STREAM) }
}

async function createApp(
  settings: Values<typeof CONFIG>,
  runtime: Runtime,
  { uses, refusals, limits }: Kept,
): Promise<NestFastifyApplication> {
  const { client, connection, logger, metrics, health } = runtime
  const failures = new FailedCredentials(limits, settings.FAILED_CREDENTIALS_PER_ADDRESS)
  const quota = new RequestQuota(limits, settings.REQUESTS_PER_CREDENTIAL)
  const organizations = new OrganizationQuota(limits, settings.REQUESTS_PER_ORGANIZATION)
  const strangers = new StrangerQuota(limits, settings.REQUESTS_OF_STRANGERS)
  const identity = identityClient(settings, runtime)
  metrics.cache('credentials', () => identity.figures)
  const authenticator = new Authenticator(identity, failures)
  const adapter = createHttpServer({
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    trustedProxies: settings.TRUSTED_PROXIES,
    publicUrl: settings.PUBLIC_URL,
    isLeaving: () => health.isStopping,
  })
  const app = await NestFactory.create<NestFastifyApplication>(
    GatewayModule.with({
      client,
      authenticator,
      uses,
      quota,
      strangers,
      failures,
      refusals,
      projectKeyHeaders: settings.PROJECT_KEY_HEADERS,
      pages: new OwnPages(settings.PUBLIC_URL),
      ...chunkQueue(connection),
      policies: new DataPolicies(connection, client, limits, warnSeldom(logger, UNREAD_POLICY)),
      publicUrl: settings.PUBLIC_URL,
    }),
    adapter,
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  )
  app.useGlobalFilters(new ProblemFilter(settings.PUBLIC_URL, logger))
  const server = adapter.getInstance()
  // Before admission: hooks after one that refuses are not called.
  logRequests(server, logger, metrics)
  admitEach(server, app, organizations)
  boundBodies(server, new BodyMemory(settings.BODY_MEMORY_BYTES))
  announceRetirement(server)
  serveReference(server, settings.PUBLIC_URL, settings.PROJECT_KEY_HEADERS[0])
  takeBytes(server, app.get(Forwarding), { failures, anonymous: strangers }, settings)
  await app.init()
  return app
}

/** A hook and not a Nest guard, because guards run after the body was read. */
function admitEach(
  server: FastifyInstance,
  app: NestFastifyApplication,
  organizations: OrganizationQuota,
): void {
  const admission = app.get(Admission)
  const authorization = app.get(Authorization)
  server.addHook('onRequest', async (request, reply) => {
    if ((request.routeOptions.config as Partial<RouteConfig>).name === undefined) return
    await admission.admit(request, reply)
    await authorization.authorize(request)
    const { caller, address } = request.authorized ?? {}
    if (caller && address?.organization_id)
      announce(reply, await organizations.take(address.organization_id, caller.principal.kind))
  })
}
