import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { expect } from '@jest/globals'
import pg from 'pg'

/**
 * Locks rows of the shared stack's identity, begins changes one after the other, each as soon as the one before waits, and
 * commits when the last one waits too. Postgres cancels who waits for seconds: they must come to the lock without delay.
 *
 * @param statement locks the rows: a `SELECT … FOR UPDATE`, or an `UPDATE` that nobody sees before
 * @returns what the changes came to
 */
export async function whileHeld<Result>(
  statement: string,
  values: readonly string[],
  changes: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const holder = new pg.Client(testStack().databaseUrls.identity)
  await holder.connect()
  const begun: Promise<Result>[] = []
  try {
    await holder.query('BEGIN')
    await holder.query(statement, [...values])
    for (const change of changes) {
      begun.push(change())
      await eventually(async () => {
        // A backend that waits for one that waits for the holder waits for the holder.
        const { rowCount } = await holder.query(
          `WITH RECURSIVE waiting AS (
             SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
             UNION
             SELECT next.pid FROM pg_stat_activity next JOIN waiting ON waiting.pid = ANY (pg_blocking_pids(next.pid))
           ) SELECT FROM waiting`,
        )
        expect(rowCount).toBe(begun.length)
      })
    }
    return await holder.query('COMMIT').then(() => Promise.allSettled(begun))
  } finally {
    await holder.end()
  }
}
