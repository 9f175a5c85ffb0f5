import { MOST_COUNTED, type Backlog } from '@bearing/service/observe/measure-queues'
import { only } from '@bearing/service/audit/outbox-backlog'
import type { Database } from '../../ground/database.js'

/** Measures the mail queue, retries included. */
export async function mailsBacklog(database: Pick<Database, '$queryRaw'>): Promise<Backlog> {
  return only(
    await database.$queryRaw<Backlog[]>`
      SELECT count(*)::integer AS entries, min(created_at) AS since
      FROM (SELECT created_at FROM mails ORDER BY id LIMIT ${MOST_COUNTED}::integer) AS counted`,
  )
}
