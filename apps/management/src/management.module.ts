import {
  DEAD_LETTER_STREAM,
  DEVICE_LOCATION_STREAM,
  TOKEN_NOTICE_STREAM,
} from '@bearing/contracts/nats/streams'
import { chunkStreams } from '@bearing/nats/chunk-partitions'
import { WEBHOOK_KINDS } from '@bearing/contracts/management/webhook-destination'
import { Connection } from '@bearing/nats/connection'
import { streamBacklog } from '@bearing/nats/stream-backlog'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { measureQueues, type Backlog } from '@bearing/service/observe/measure-queues'
import { Metrics } from '@bearing/service/observe/metrics'
import { auditBacklog, outboxBacklog } from '@bearing/service/audit/outbox-backlog'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Module } from '@nestjs/common'
import { ErasureModule } from './erasure/erasure.module.js'
import { FilesModule } from './files/files.module.js'
import { Database } from './ground/database.js'
import { GroundModule } from './ground/ground.module.js'
import { IngestModule } from './ingest/ingest.module.js'
import { TenancyModule } from './tenancy/tenancy.module.js'
import { AuditDeliveries } from './webhooks/audit-deliveries.js'
import { dataBacklog } from './webhooks/data-lag.js'
import { deliveriesBacklog } from './webhooks/deliveries-backlog.js'
import { WebhooksModule } from './webhooks/webhooks.module.js'

/** All wings of management, from top to bottom, and the metrics of their queues. */
@Module({ imports: [ErasureModule, FilesModule, IngestModule, WebhooksModule, TenancyModule, GroundModule] })
export class ManagementModule {
  constructor(
    database: Database,
    connection: Connection,
    clock: Clock,
    metrics: Metrics,
    sinks: AuditDeliveries,
    @Inject(LOGGER) logger: Logger,
  ) {
    measureQueues({ metrics, logger }, clock, {
      chunks: async () => streamBacklog(connection, ...(await chunkStreams(connection))),
      'device-locations': () => streamBacklog(connection, DEVICE_LOCATION_STREAM),
      'token-notices': () => streamBacklog(connection, TOKEN_NOTICE_STREAM),
      'dead-letters': () => streamBacklog(connection, DEAD_LETTER_STREAM),
      deletions: () => deletionsBacklog(database),
      outbox: () => outboxBacklog(database),
      audit: () => auditBacklog(database),
      'webhook-deliveries': () => deliveriesBacklog(database, clock.now(), 'working'),
      'webhook-deliveries-failing': () => deliveriesBacklog(database, clock.now(), 'failing'),
      'webhook-audit': () => sinks.backlog(),
      ...Object.fromEntries(
        WEBHOOK_KINDS.filter((kind) => kind !== 'syslog').map((kind) => [
          `webhook-data-${kind}`,
          () => dataBacklog(database, kind),
        ]),
      ),
    })
  }
}

/** Returns the erasures that have started, and the deletions and restorations that identity has not confirmed. */
async function deletionsBacklog(database: Pick<Database, '$queryRaw'>): Promise<Backlog> {
  const [row] = await database.$queryRaw<Backlog[]>`
    SELECT count(*)::integer AS entries, min(coalesce(erasing_since, deleted_at)) AS since FROM deletions
    WHERE next_attempt_at IS NOT NULL AND (state = 'erasing' OR confirmed < version)`
  return row ?? { entries: 0, since: null }
}
