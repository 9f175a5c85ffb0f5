import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { VERSION } from '@bearing/contracts/version'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { NatsServer, type CallRecord, type NatsServerOptions } from '@bearing/nats/server'
import { Module, type DynamicModule, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { Health, type HealthCheck } from '../observe/health.js'
import { NestLog, callFields, createLogger, type Logger } from '../observe/logger.js'
import { measureNats } from '../observe/measure-nats.js'
import { Metrics } from '../observe/metrics.js'
import { RuntimeModule } from './runtime-module.js'
import type { Runtime } from '../observe/runtime.js'
import { processReport } from '../observe/process-report.js'
import { startTracing } from '../observe/tracing.js'
import { untilMigrated, type Schema } from '../store/until-migrated.js'
import { SERVICE_SETTINGS } from '../ground/service-settings.js'
import type { Values } from '../ground/settings.js'
import { endOnSignal, onShutdown } from './shutdown.js'
import { databaseUnavailable } from '../ground/unavailable.js'
import { warnSeldom } from '../observe/warn-seldom.js'

type VerifyClaims = NatsServerOptions['verifyClaims']

/** A service, as {@link runService} runs it. */
export interface Service {
  readonly name: string
  readonly description: string
  readonly settings: Values<typeof SERVICE_SETTINGS>
  /** The Nest module whose controllers handle the operations. */
  readonly module: Type | DynamicModule
  /** The tables that it needs: it starts when they are there. */
  readonly schema: Schema
  /** Verifies claims (default: with identity's keys over NATS). */
  readonly verifyClaims?: VerifyClaims
}

/** Largest message that NATS should take, in bytes: a list of 10,000 items. */
const RECOMMENDED_PAYLOAD = 8 * 1024 * 1024

@Module({})
class NoModule {}

/**
 * Makes the log, metrics and health of a process, and connects it to NATS. Waits for NATS: services start in any order.
 *
 * @param toleratedMs how long the connection to NATS may be lost before the process is not ready (default: not at all)
 */
export async function openRuntime(
  name: string,
  settings: Values<typeof SERVICE_SETTINGS>,
  toleratedMs = 0,
): Promise<Runtime> {
  const logger = createLogger(name, settings.LOG_LEVEL)
  const metrics = new Metrics()
  metrics.build(name, VERSION)
  const health = await Health.serve(settings.HOST, settings.HEALTH_PORT, metrics, logger)
  endOnSignal(logger)
  await startTracing(name, settings, metrics, logger)
  const connection = await connect(name, settings, logger, health, toleratedMs)
  measureNats(metrics, connection)
  const message = 'NATS refuses what this service does: look at the permissions of its user'
  connection.refused(warnSeldom(logger, message, 'error'))
  connection.disconnected(() => {
    logger.warn('the connection to NATS is lost; reconnecting')
  })
  connection.reconnected(() => {
    logger.info('the connection to NATS is back')
  })
  if (connection.maxPayload < RECOMMENDED_PAYLOAD)
    logger.warn(
      { max_payload: connection.maxPayload },
      'NATS takes only small messages: long lists will be refused as too large; set its max_payload to 8MB',
    )
  health.aliveWhile(() => !connection.raw.isClosed())
  return { connection, client: new NatsClient(connection), logger, metrics, health }
}

/** Connects to NATS, and says why where that cannot be yet. */
async function connect(
  name: string,
  settings: Values<typeof SERVICE_SETTINGS>,
  logger: Logger,
  health: Health,
  toleratedMs: number,
): Promise<Connection> {
  let ping: HealthCheck['check'] = () => Promise.reject(new Error('NATS has not been reached yet'))
  health.need({ name: 'nats', check: () => ping() })
  logger.info('connecting to NATS')
  const connection = await connectNats({
    url: settings.NATS_URL,
    nkeySeed: settings.NATS_NKEY_SEED || undefined,
    name,
    unreachable: warnSeldom(logger, 'NATS cannot be reached: look at NATS_URL; trying again'),
  })
  ping = () => (toleratedMs === 0 ? connection.ping() : requireRecent(connection, toleratedMs))
  return connection
}

async function requireRecent(connection: Connection, toleratedMs: number): Promise<void> {
  if (connection.downMs > toleratedMs)
    await Promise.reject(new Error(`NATS has been lost for more than ${String(toleratedMs / 1_000)} s`))
}

/**
 * Runs a service until SIGTERM: connects, serves its operations and its health, drains and stops. Exits with 1 and a
 * clear message where it cannot start.
 *
 * At shutdown the calls under way are answered first; then Nest's hooks stop consumers and jobs (`onModuleDestroy`), relays
 * (`beforeApplicationShutdown`) and databases (`onApplicationShutdown`); the connection to NATS closes last.
 *
 * @returns the health of the service, which is ready
 */
export async function runService(service: Service): Promise<Health> {
  const { name, description, settings, module } = service
  const runtime = await openRuntime(name, settings)
  const { connection, logger, health } = runtime
  await untilMigrated(service.schema, runtime)
  const server = new NatsServer({
    connection,
    service: { name, id: randomUUID(), version: VERSION, description },
    verifyClaims: service.verifyClaims ?? new ClaimsVerifier(() => runtime.client.call(getJwks, {})).verify,
    translate: databaseUnavailable,
    record: (call) => {
      recordCall(call, runtime)
    },
    ignored: reportIgnored(logger),
    report: () => processReport(runtime, settings),
    ...watchOperations(runtime),
    newRequestId: randomUUID,
  })
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(
    { module: NoModule, imports: [RuntimeModule.with(runtime, settings), module] },
    { strategy: server, logger: new NestLog(logger), abortOnError: false },
  )
  await app.listen()
  health.started()
  logger.info({ version: VERSION }, `${name} is ready`)
  onShutdown(logger, settings, health, async () => {
    await app.close()
    await connection.drain()
  })
  return health
}

/** Nothing but an attack, or an internal service with another inbox prefix, leads to this. */
function reportIgnored(logger: Logger): NonNullable<NatsServerOptions['ignored']> {
  const report = warnSeldom(
    logger,
    'a message was ignored: its reply subject is not an inbox for replies of this service',
    'error',
  )
  return (subject, reply = '') => {
    // Without what differs from message to message, so that the same attack is one line a minute.
    const kind = reply.split('.').slice(0, 3).join('.')
    report(new Error(`${subject} with the reply subject ${kind || '(none)'}`))
  }
}

/** While an operation cannot be served, the service is not ready, and says which. */
function watchOperations({ logger, health }: Runtime): Pick<NatsServerOptions, 'lost' | 'restored'> {
  const lost = new Map<string, Error>()
  const watched = new Set<string>()
  return {
    lost: (subject, error) => {
      logger.error({ operation: subject, err: error }, 'an operation can no longer be served; trying again')
      lost.set(subject, error)
      if (watched.has(subject)) return
      watched.add(subject)
      const check = () => {
        const refusal = lost.get(subject)
        return refusal ? Promise.reject(refusal) : Promise.resolve()
      }
      health.need({ name: subject, check })
    },
    restored: (subject) => {
      logger.info({ operation: subject }, 'an operation is served again')
      lost.delete(subject)
    },
  }
}

function recordCall(call: CallRecord, { logger, metrics }: Runtime): void {
  const { subject, context, durationMs, error } = call
  metrics.called(subject, error?.code ?? 'ok', durationMs)
  if (!error && !logger.isLevelEnabled('debug')) return
  const fields = {
    ...callFields(context),
    operation: subject,
    duration_ms: Math.round(durationMs * 100) / 100,
    ...(error && { code: error.code }),
  }
  if (error?.code === 'internal') logger.error({ ...fields, err: error.cause }, 'a call failed')
  // Of those that are refused because too many come, there are too many: the metrics count them.
  else if (error && error.status >= 500 && error.code !== 'overloaded')
    logger.warn({ ...fields, cause: String(error.cause) }, 'a call could not be answered')
  else logger.debug(fields, 'a call was answered')
}
