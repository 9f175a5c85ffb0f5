import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { getJwks } from '@bearing/contracts/identity/jwks'
import { VERSION } from '@bearing/contracts/version'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, Connection } from '@bearing/nats/connection'
import { NatsServer, type CallRecord } from '@bearing/nats/server'
import { Module, type DynamicModule, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { ClaimsVerifier } from './claims-verifier.js'
import { serveHealth, type HealthCheck } from './health.js'
import { NestLog, createLogger, type Logger } from './logger.js'
import { Metrics } from './metrics.js'
import { SERVICE_SETTINGS } from './service-settings.js'
import { SettingsError, type Values } from './settings.js'
import { onShutdown } from './shutdown.js'
import { databaseUnavailable } from './unavailable.js'

/** What a process has before its own parts are made. */
export interface Runtime {
  readonly connection: Connection
  readonly client: NatsClient
  readonly logger: Logger
  readonly metrics: Metrics
}

/** What {@link runService} needs to know of a service. */
export interface ServiceDefinition {
  readonly name: string
  readonly description: string
  readonly settings: Values<typeof SERVICE_SETTINGS>
  /** Makes the service's parts. Anything it leaves open is closed by `close`. */
  readonly build: (runtime: Runtime) => Promise<{
    /** The Nest module whose controllers handle the operations. */
    readonly module: Type | DynamicModule
    /** What the service cannot work without, apart from NATS. */
    readonly checks: readonly HealthCheck[]
    /** Verifies claims; by default with identity's keys over NATS. */
    readonly verifyClaims?: ConstructorParameters<typeof NatsServer>[0]['verifyClaims']
    readonly close: () => Promise<void>
  }>
}

@Module({})
class NoModule {}

/** Connects a process to NATS and makes its log and metrics. Waits for NATS: services start in any order. */
export async function openRuntime(name: string, settings: Values<typeof SERVICE_SETTINGS>): Promise<Runtime> {
  const logger = createLogger(name, settings.LOG_LEVEL)
  const connection = await connectNats({ url: settings.NATS_URL, name })
  return { connection, client: new NatsClient(connection), logger, metrics: new Metrics() }
}

/**
 * Runs a service until SIGTERM: connects, serves its operations and its health, drains and stops. Exits with 1 and a
 * clear message where it cannot start.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const { name, settings } = definition
  const runtime = await openRuntime(name, settings)
  const { connection, logger } = runtime
  const parts = await definition.build(runtime)
  const server = new NatsServer({
    connection,
    service: { name, id: randomUUID(), version: VERSION, description: definition.description },
    verifyClaims: parts.verifyClaims ?? new ClaimsVerifier(() => runtime.client.call(getJwks, {})).verify,
    translate: databaseUnavailable,
    record: (call) => {
      recordCall(call, runtime)
    },
    newRequestId: randomUUID,
  })
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(
    { module: NoModule, imports: [parts.module] },
    { strategy: server, logger: new NestLog(logger), abortOnError: false },
  )
  const health = await serveHealth({
    host: settings.HEALTH_HOST,
    port: settings.HEALTH_PORT,
    alive: () => !connection.raw.isClosed(),
    checks: [{ name: 'nats', check: () => connection.ping() }, ...parts.checks],
    metrics: runtime.metrics,
  })
  await app.listen()
  logger.info({ version: VERSION }, `${name} is ready`)
  onShutdown(logger, settings.SHUTDOWN_TIMEOUT_MS, async () => {
    await app.close()
    await parts.close()
    await connection.drain()
    health.closeAllConnections()
    health.close()
    await once(health, 'close')
  })
}

/** Runs a program's main function; where it fails, says why in one line and exits with 1. */
export function start(main: () => Promise<void>): void {
  void Promise.resolve()
    .then(main)
    .catch((error: unknown) => {
      const text = error instanceof SettingsError ? error.message : String((error as Error).stack ?? error)
      process.stderr.write(`${text}\n`)
      process.exitCode = 1
      // Whatever was opened before the failure must not keep the process up.
      setTimeout(() => process.exit(1), 500).unref()
    })
}

function recordCall(call: CallRecord, { logger, metrics }: Runtime): void {
  const { subject, context, durationMs, error } = call
  metrics.called(subject, error?.code ?? 'ok', durationMs)
  if (!error && !logger.isLevelEnabled('debug')) return
  const fields = {
    request_id: context.requestId,
    operation: subject,
    duration_ms: Math.round(durationMs * 100) / 100,
    ...(error && { code: error.code }),
  }
  if (error?.code === 'internal') logger.error({ ...fields, err: error.cause }, 'a call failed')
  else if (error && error.status >= 500)
    logger.warn({ ...fields, cause: String(error.cause) }, 'a call could not be answered')
  else logger.debug(fields, 'a call was answered')
}
