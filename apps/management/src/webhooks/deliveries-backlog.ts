import { MOST_COUNTED, type Backlog } from '@bearing/service/observe/measure-queues'
import { only } from '@bearing/service/audit/outbox-backlog'
import type { Database } from '../ground/database.js'
import { NOT_DELETED } from './not-deleted.js'

/** Deliveries of one webhook that are counted at most. */
const MAX_OF_WEBHOOK = 1_000

/**
 * Measures the deliveries that are due and not attempted, of webhooks that are neither paused nor deleted with their project. Deliveries to working webhooks
 * wait for Bearing, those to failing webhooks for the receiver.
 */
export async function deliveriesBacklog(
  database: Pick<Database, '$queryRaw'>,
  now: Date,
  kind: 'working' | 'failing',
): Promise<Backlog> {
  return only(
    await database.$queryRaw<Backlog[]>`
      SELECT least(coalesce(sum(due.entries), 0), ${MOST_COUNTED}::integer)::integer AS entries, min(due.since) AS since
      FROM webhooks w CROSS JOIN LATERAL (
        SELECT count(*) AS entries, min(next_attempt_at) AS since FROM (
          SELECT next_attempt_at FROM webhook_deliveries d
          WHERE d.webhook_id = w.id AND d.next_attempt_at <= ${now}::timestamptz
          ORDER BY next_attempt_at LIMIT ${MAX_OF_WEBHOOK}::integer
        ) counted
      ) due
      WHERE w.paused_reason IS NULL AND ${NOT_DELETED} AND (w.failing_since IS NOT NULL) = ${kind === 'failing'}::boolean`,
  )
}
