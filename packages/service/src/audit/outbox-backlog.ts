import { MOST_COUNTED, type Backlog } from '../observe/measure-queues.js'

/** The part of Prisma's client that is used. */
interface Tables {
  $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>
}

/** @returns the backlog of a service's outbox: ids are in the order of time, so the first one is the oldest */
export async function outboxBacklog(database: Tables): Promise<Backlog> {
  return only(
    await database.$queryRaw<Backlog[]>`
      SELECT (SELECT count(*)::integer FROM (SELECT FROM outbox LIMIT ${MOST_COUNTED}::integer) AS counted) AS entries,
             (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS since`,
  )
}

/** @returns what identity does not have yet of a service's audit log */
export async function auditBacklog(database: Tables): Promise<Backlog> {
  return only(
    await database.$queryRaw<Backlog[]>`
      SELECT (SELECT count(*)::integer FROM (SELECT FROM audit_handover LIMIT ${MOST_COUNTED}::integer) AS counted) AS entries,
             (SELECT at FROM audit_log WHERE id = (SELECT id FROM audit_handover ORDER BY id LIMIT 1)) AS since`,
  )
}

/**
 * The row of a statement that always gives one.
 *
 * @throws where there is none
 */
export function only([row]: readonly Backlog[]): Backlog {
  if (!row) throw new Error('the database gave no row')
  return row
}
