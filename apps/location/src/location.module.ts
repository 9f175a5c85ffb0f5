import { OBSERVATION_STREAM, OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { streamBacklog } from '@bearing/nats/stream-backlog'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { measureQueues } from '@bearing/service/observe/measure-queues'
import { Metrics } from '@bearing/service/observe/metrics'
import { auditBacklog, outboxBacklog } from '@bearing/service/audit/outbox-backlog'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Module } from '@nestjs/common'
import { ErasureModule } from './erasure/erasure.module.js'
import { Database } from './ground/database.js'
import { GroundModule } from './ground/ground.module.js'
import { ImportModule } from './import/import.module.js'
import { importsBacklog } from './import/imports-backlog.js'
import { LearnModule } from './learn/learn.module.js'
import { LocateModule } from './locate/locate.module.js'
import { PositionsModule } from './positions/positions.module.js'

/** All wings of location, from top to bottom, and the metrics of their queues. */
@Module({
  imports: [LearnModule, ImportModule, LocateModule, PositionsModule, ErasureModule, GroundModule],
})
export class LocationModule {
  constructor(
    database: Database,
    connection: Connection,
    clock: Clock,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    measureQueues({ metrics, logger }, clock, {
      observations: () => streamBacklog(connection, OBSERVATION_STREAM),
      'rejected-observations': () => streamBacklog(connection, OBSERVATION_DEAD_LETTER_STREAM),
      outbox: () => outboxBacklog(database),
      audit: () => auditBacklog(database),
      imports: () => importsBacklog(database),
    })
  }
}
