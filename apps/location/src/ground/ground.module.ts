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
import { RateLimits } from '@bearing/service/store/rate-limits'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Transactions } from '@bearing/service/store/transactions'
import { watchPool } from '@bearing/service/observe/watch-pool'
import { Global, Module, type OnApplicationShutdown } from '@nestjs/common'
import type { Settings } from '../config.js'
import { recordAudit } from './audit-log.js'
import { Database, Pools, namedPools } from './database.js'
import { ReadPool } from './read-pool.js'

/** Token of the relay that hands audit events over to identity. */
const AUDIT_RELAY = Symbol('audit relay')

/**
 * Common ground of all wings of location: the database and its pools, every lock in order (`locks.ts`), the kinds of stations
 * (`stations/`), tombstones, layers and the relays of events and audit events. Every wing may use it. It imports no other wing.
 */
@Global()
@Module({
  providers: [
    {
      provide: Pools,
      useFactory: (settings: Settings, metrics: Metrics) => {
        const pools = new Pools(
          { primary: settings.LOCATION_DATABASE_URL, replica: settings.LOCATION_READ_URL },
          settings.DATABASE_POOL,
        )
        for (const [name, pool] of namedPools(pools)) watchPool(metrics, name, pool)
        return pools
      },
      inject: [SETTINGS, Metrics],
    },
    {
      provide: Database,
      useFactory: (pools: Pools, transactions: Transactions) => new Database(pools.main, transactions),
      inject: [Pools, Transactions],
    },
    {
      provide: ReadPool,
      useFactory: (pools: Pools) => new ReadPool(pools.lookUp),
      inject: [Pools],
    },
    {
      provide: RateLimits,
      useFactory: (settings: Settings, logger: Logger, metrics: Metrics) =>
        RateLimits.open(settings.REDIS_URL, logger, metrics),
      inject: [SETTINGS, LOGGER, Metrics],
    },
    {
      provide: Readings,
      useFactory: (database: Database, clock: Clock) =>
        new Readings<AuditAction<'location'>>(
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
        auditRelay('location', database, client, logger),
      inject: [Database, NatsClient, LOGGER],
    },
  ],
  exports: [Database, Pools, RateLimits, Readings, ReadPool],
})
export class GroundModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly pools: Pools,
    private readonly limits: RateLimits,
    health: Health,
  ) {
    health.need({ name: 'postgres', check: () => pools.main.query('SELECT 1') })
    if (pools.lookUp !== pools.main)
      health.need({ name: 'replica', check: () => pools.lookUp.query('SELECT 1'), isOptional: true })
  }

  async onApplicationShutdown(): Promise<void> {
    this.limits.close()
    await this.database.$disconnect()
    await this.pools.end()
  }
}
