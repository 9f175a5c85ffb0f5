import type pg from 'pg'

/** Rows that one query reads: few enough that a look-up never waits for long. */
export const PAGE = 500
/** Time that a statement waits for a lock, in milliseconds; learners of the layer wait behind it. */
const LOCK_MS = 1_000
/** `lock_not_available` and `deadlock_detected` (PostgreSQL manual, appendix A). */
const BLOCKED = new Set<unknown>(['55P03', '40P01'])

/** A step of a sweep. After each one others get their turn; `blocked`: another transaction holds what the next step needs. */
export type Steps<Result = void> = AsyncGenerator<'blocked' | undefined, Result, undefined>

/** Rows of a table to be rewritten. */
interface Pages<Row> {
  /** Reads up to {@link PAGE} rows behind one, without a lock. */
  readonly read: (last: Row | undefined) => Promise<readonly Row[]>
  readonly isChanged: (row: Row) => boolean
  /** Locks changed rows, reads them again and rewrites them. */
  readonly rewrite: (rows: readonly Row[]) => Promise<void>
}

/** Sweeps a table page by page. @param client in no transaction */
export async function* sweepPages<Row>(
  client: pg.ClientBase,
  { read, isChanged, rewrite }: Pages<Row>,
): Steps {
  for (let last: Row | undefined; ;) {
    const rows = await read(last)
    const changed = rows.filter(isChanged)
    if (changed.length > 0) yield* untilDone(client, () => rewrite(changed))
    last = rows.at(-1)
    if (rows.length < PAGE) return
    yield undefined
  }
}

/** Changes something in a transaction of its own, and retries while another transaction is in the way. */
export async function* untilDone(client: pg.ClientBase, change: () => Promise<void>): Steps {
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
    if (BLOCKED.has((error as { code?: unknown }).code)) return false
    throw error
  }
}
