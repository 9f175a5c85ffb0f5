import type { Backlog } from '@bearing/service/observe/measure-queues'
import { Prisma } from '../generated/prisma/client.js'
import { LATE_MS } from '../feed/data-reader.js'
import type { Database } from '../ground/database.js'
import { NOT_DELETED } from './not-deleted.js'

/** Items of one webhook that are counted at most. */
const MOST = 10_000

/** Measures what waits for webhooks of a kind that receive what devices send and are neither paused nor deleted. */
export function dataBacklog(database: Pick<Database, '$queryRaw'>, kind: string): Promise<Backlog> {
  return waiting(database, Prisma.sql`w.kind = ${kind}::text AND w.paused_reason IS NULL AND ${NOT_DELETED}`)
}

/** Measures what waits for one webhook, paused or not. */
export function dataBacklogOf(database: Pick<Database, '$queryRaw'>, id: string): Promise<Backlog> {
  return waiting(database, Prisma.sql`w.id = ${id}::uuid`)
}

async function waiting(database: Pick<Database, '$queryRaw'>, which: Prisma.Sql): Promise<Backlog> {
  // The event is a literal, as in the partial index.
  const [row] = await database.$queryRaw<Backlog[]>`
    SELECT coalesce(sum(entries), 0)::integer AS entries, min(since) AS since
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT count(*) AS entries, min(at) AS since FROM (
        SELECT received_at AS at FROM device_chunks c
        WHERE c.project_id = w.project_id AND c.position > w.data_position
          AND c.received_at >= w.data_at - ${LATE_MS} * interval '1 ms'
        ORDER BY c.position LIMIT ${MOST}::integer
      ) chunks
      UNION ALL
      SELECT count(*), min(created_at) FROM (
        SELECT created_at FROM files f
        WHERE f.project_id = w.project_id AND f.position > w.data_position
        ORDER BY f.position LIMIT ${MOST}::integer
      ) files
    ) waiting
    WHERE 'device.data_stored' = ANY (w.events) AND ${which}`
  return row ?? { entries: 0, since: null }
}
