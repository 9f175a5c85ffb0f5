import { OBSERVATION_STREAM, REJECTED_OBSERVATION_STREAM } from '@bearing/contracts/streams'
import type { Connection } from '@bearing/nats/connection'
import { streamBacklog } from '@bearing/nats/stream-backlog'
import type { Backlog } from '@bearing/service/measure-queues'
import { auditBacklog, outboxBacklog } from '@bearing/service/outbox-backlog'
import { importsBacklog } from '../import/imports-backlog.js'
import type { Database } from './database.js'

/** What measures the queues that location works off, by their label in metrics. */
export function queuesOf(database: Database, connection: Connection): Record<string, () => Promise<Backlog>> {
  return {
    observations: () => streamBacklog(connection, OBSERVATION_STREAM),
    'rejected-observations': () => streamBacklog(connection, REJECTED_OBSERVATION_STREAM),
    outbox: () => outboxBacklog(database),
    audit: () => auditBacklog(database),
    imports: () => importsBacklog(database),
  }
}
