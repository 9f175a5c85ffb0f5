import type pg from 'pg'

/** How long a lock is waited for at a time, in milliseconds: who learns in the layer waits behind it as long. */
const LOCK_MS = 1_000
/** That somebody holds a lock, or that one was taken the other way round (PostgreSQL manual, appendix A). */
const IN_THE_WAY = new Set<unknown>(['55P03', '40P01'])

/**
 * Changes something in a transaction of its own, again and again until nobody is in the way.
 *
 * @param client in no transaction
 * @returns each time that somebody was: that others may go on meanwhile
 */
export async function* untilDone(
  client: pg.ClientBase,
  change: () => Promise<void>,
): AsyncGenerator<'blocked', void, undefined> {
  while (!(await isDone(client, change))) yield 'blocked'
}

async function isDone(client: pg.ClientBase, change: () => Promise<void>): Promise<boolean> {
  await client.query('BEGIN')
  try {
    await client.query(`SET LOCAL lock_timeout = ${String(LOCK_MS)}`)
    await change()
    await client.query('COMMIT')
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    if (IN_THE_WAY.has((error as { code?: unknown }).code)) return false
    throw error
  }
}
