import type { Backlog } from '@bearing/service/measure-queues'
import type { Database } from '../../ground/database.js'

/** Returns the erasures that have started, and the deletions and restorations that identity has not confirmed. */
export async function deletionsBacklog(database: Pick<Database, '$queryRaw'>): Promise<Backlog> {
  const [row] = await database.$queryRaw<Backlog[]>`
    SELECT count(*)::integer AS entries, min(coalesce(erasing_since, deleted_at)) AS since FROM deletions
    WHERE next_attempt_at IS NOT NULL AND (state = 'erasing' OR confirmed < version)`
  return row ?? { entries: 0, since: null }
}
