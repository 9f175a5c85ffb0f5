import type { Backlog } from '@bearing/service/observe/measure-queues'
import { only } from '@bearing/service/audit/outbox-backlog'
import type { Database } from '../ground/database.js'

/** Counts submitted imports that are not committed, and returns when the last batch of the oldest came. */
export async function importsBacklog(database: Pick<Database, '$queryRaw'>): Promise<Backlog> {
  return only(
    await database.$queryRaw<Backlog[]>`
      SELECT (SELECT count(*)::integer FROM imports WHERE state = 'committing') AS entries, (
        SELECT coalesce((SELECT max(stored_at) FROM import_batches WHERE import_id = oldest.id), oldest.created_at)
        FROM (SELECT id, created_at FROM imports WHERE state = 'committing' ORDER BY id LIMIT 1) AS oldest
      ) AS since`,
  )
}
