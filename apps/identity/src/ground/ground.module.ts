import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { EventPublisher } from '@bearing/nats/event-publisher'
import { Readings } from '@bearing/service/audit/readings'
import { Clock } from '@bearing/service/ground/clock'
import { Health } from '@bearing/service/observe/health'
import type { Logger } from '@bearing/service/observe/logger'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Metrics } from '@bearing/service/observe/metrics'
import { OutboxRelay, outboxTable } from '@bearing/service/audit/outbox-relay'
import { Randomness } from '@bearing/service/ground/randomness'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { SecretBox } from '@bearing/service/store/secret-box'
import { Transactions } from '@bearing/service/store/transactions'
import { watchPool } from '@bearing/service/observe/watch-pool'
import { Global, Module, type OnApplicationShutdown } from '@nestjs/common'
import type { Settings } from '../config.js'
import { AppendAuditEvents } from './audit/append-audit-events.js'
import { CheckpointKeys } from './audit/checkpoint-keys.js'
import { ExportAuditEntries } from './audit/export-audit-entries.js'
import { ListAuditChains } from './audit/list-audit-chains.js'
import { ListAuditCheckpoints } from './audit/list-audit-checkpoints.js'
import { ListAuditEntries } from './audit/list-audit-entries.js'
import { ReadAuditEntries } from './audit/read-audit-entries.js'
import { recordAudit } from './audit/record-audit.js'
import { RecordRefusals } from './audit/record-refusals.js'
import { SignCheckpoints } from './audit/sign-checkpoints.js'
import { VerifyAuditChain } from './audit/verify-audit-chain.js'
import { CheckSecret } from './check-secret.js'
import { Database } from './database.js'
import { EventStreams } from './events/event-streams.js'
import { QueueRepair } from './events/queue-repair.js'
import { QueueMetrics } from './queue-metrics.js'
import { Peppers } from './rules/peppers.js'

/**
 * The ground of identity: its database, every lock in order (`locks.ts`), the audit log of all services with its hash
 * chains, events, peppers and sealed secrets, rate limits and pure rules. Every wing may use it. Audit events are recorded
 * only with `recordAudit`, events only inside `database.transaction`. It imports no other wing.
 */
@Global()
@Module({
  controllers: [
    AppendAuditEvents,
    ExportAuditEntries,
    ListAuditChains,
    ListAuditCheckpoints,
    ListAuditEntries,
    ReadAuditEntries,
    RecordRefusals,
    VerifyAuditChain,
  ],
  providers: [
    {
      provide: Database,
      inject: [SETTINGS, Transactions, Metrics],
      useFactory: (settings: Settings, transactions: Transactions, metrics: Metrics) => {
        const database = new Database(settings.IDENTITY_DATABASE_URL, settings.DATABASE_POOL, transactions)
        watchPool(metrics, 'main', database.pool)
        return database
      },
    },
    {
      provide: Readings,
      useFactory: (database: Database, clock: Clock) =>
        new Readings<AuditAction<'identity'>>(
          (by, event) =>
            database.transaction((transaction) => {
              recordAudit(transaction, by, event)
              return Promise.resolve()
            }),
          clock,
        ),
      inject: [Database, Clock],
    },
    {
      provide: OutboxRelay,
      inject: [Database, EventPublisher, LOGGER],
      useFactory: (database: Database, publisher: EventPublisher, logger: Logger) =>
        new OutboxRelay(outboxTable(database), publisher, logger),
    },
    {
      provide: RateLimits,
      inject: [SETTINGS, LOGGER, Metrics],
      useFactory: (settings: Settings, logger: Logger, metrics: Metrics) =>
        RateLimits.open(settings.REDIS_URL, logger, metrics),
    },
    {
      provide: Peppers,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new Peppers(settings.IDENTITY_PEPPERS),
    },
    {
      provide: SecretBox,
      inject: [SETTINGS, Randomness],
      useFactory: (settings: Settings, randomness: Randomness) =>
        new SecretBox(settings.IDENTITY_PEPPERS, randomness.bytes),
    },
    CheckpointKeys,
    ...[CheckSecret, EventStreams, IdempotentCalls, QueueMetrics, QueueRepair, SignCheckpoints],
  ],
  exports: [Database, RateLimits, Readings, Peppers, SecretBox, IdempotentCalls, CheckSecret, QueueMetrics],
})
export class GroundModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly limits: RateLimits,
    health: Health,
  ) {
    health.need({ name: 'postgres', check: () => database.$queryRaw`SELECT 1` })
  }

  async onApplicationShutdown(): Promise<void> {
    this.limits.close()
    await this.database.$disconnect()
  }
}
