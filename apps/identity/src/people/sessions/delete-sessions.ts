import type { Transaction } from '../../ground/database.js'
import type { Prisma } from '../../generated/prisma/client.js'

/** A session that is gone. */
export interface DeletedSession {
  readonly id: string
  readonly userId: string
  readonly lastSeenAt: Date
  readonly endsAt: Date
}

/**
 * Deletes sessions, always in the same order: else two who end the same ones could wait for each other.
 *
 * @param which condition on the columns of `sessions`
 */
export function deleteSessions(transaction: Transaction, which: Prisma.Sql): Promise<DeletedSession[]> {
  return transaction.$queryRaw<DeletedSession[]>`
    DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE ${which} ORDER BY id FOR UPDATE)
    RETURNING id, user_id AS "userId", last_seen_at AS "lastSeenAt", ends_at AS "endsAt"`
}
