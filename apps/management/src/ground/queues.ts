import { CHUNK_STREAM, DEAD_LETTER_STREAM, DEVICE_LOCATION_STREAM } from '@bearing/contracts/streams'
import type { Connection } from '@bearing/nats/connection'
import { streamBacklog } from '@bearing/nats/stream-backlog'
import type { Clock } from '@bearing/service/clock'
import type { Backlog } from '@bearing/service/measure-queues'
import { auditBacklog, outboxBacklog } from '@bearing/service/outbox-backlog'
import type { Database } from './database.js'
import { deliveriesBacklog } from '../webhooks/deliveries-backlog.js'

/** What measures the queues that management works off, by their label in metrics. */
export function queuesOf(
  database: Database,
  connection: Connection,
  clock: Clock,
): Record<string, () => Promise<Backlog>> {
  return {
    chunks: () => streamBacklog(connection, CHUNK_STREAM),
    'device-locations': () => streamBacklog(connection, DEVICE_LOCATION_STREAM),
    'dead-letters': () => streamBacklog(connection, DEAD_LETTER_STREAM),
    outbox: () => outboxBacklog(database),
    audit: () => auditBacklog(database),
    'webhook-deliveries': () => deliveriesBacklog(database, clock.now(), 'working'),
    'webhook-deliveries-failing': () => deliveriesBacklog(database, clock.now(), 'failing'),
  }
}
