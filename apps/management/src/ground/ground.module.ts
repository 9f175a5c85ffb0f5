import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { NatsClient } from '@bearing/nats/client'
import { EventPublisher } from '@bearing/nats/event-publisher'
import { auditRelay } from '@bearing/service/audit/audit-outbox'
import { Readings } from '@bearing/service/audit/readings'
import { Clock } from '@bearing/service/ground/clock'
import { Health } from '@bearing/service/observe/health'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { OutboxRelay, outboxTable } from '@bearing/service/audit/outbox-relay'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Transactions } from '@bearing/service/store/transactions'
import { watchPool } from '@bearing/service/observe/watch-pool'
import { Global, Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { Database } from './database.js'
import { recordAudit } from './record-audit.js'

/** Token of the relay that hands audit events over to identity. */
const AUDIT_RELAY = Symbol('audit relay')

/**
 * Common ground of all wings of management: the database, its locks in their order, the audit log and the relays that publish
 * events and hand audit events over to identity. Every wing may use it. It imports no other wing.
 */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (settings: Settings, transactions: Transactions, health: Health, metrics: Metrics) => {
        const database = new Database(settings.MANAGEMENT_DATABASE_URL, settings.DATABASE_POOL, transactions)
        watchPool(metrics, 'main', database.pool)
        health.need({ name: 'postgres', check: () => database.$queryRaw`SELECT 1` })
        return database
      },
      inject: [SETTINGS, Transactions, Health, Metrics],
    },
    {
      provide: Readings,
      useFactory: (database: Database, clock: Clock) =>
        new Readings<AuditAction<'management'>>(
          (by, event) =>
            database.transaction((transaction) => Promise.resolve(recordAudit(transaction, by, event))),
          clock,
        ),
      inject: [Database, Clock],
    },
    {
      provide: OutboxRelay,
      useFactory: (database: Database, publisher: EventPublisher, logger: Logger) =>
        new OutboxRelay(outboxTable(database), publisher, logger),
      inject: [Database, EventPublisher, LOGGER],
    },
    {
      provide: AUDIT_RELAY,
      useFactory: (database: Database, client: NatsClient, logger: Logger) =>
        auditRelay('management', database, client, logger),
      inject: [Database, NatsClient, LOGGER],
    },
  ],
  exports: [Database, Readings],
})
export class GroundModule {}
