import { deleteBatch } from './delete-batch.js'

/** Runs a statement and returns its rows. */
export type Query = (statement: string, values: readonly unknown[]) => Promise<readonly unknown[]>

/** Rows to erase. Tables and conditions are constants of the code, never input. */
export interface Erasable {
  readonly table: string
  /** Columns of its primary key (default: `id`). */
  readonly key?: readonly string[]
  /** Condition of the rows. `$1` is the id of the organization, `$2` an array of ids of its projects. */
  readonly where: string
  /** Rows that one statement deletes (default: 2,000). */
  readonly limit?: number
}

/** Number of rows that a batch has erased, and that are left, at least: 0 if and only if none is. */
export interface Erased {
  readonly erased: number
  readonly remaining: number
}

/** Rows that one statement deletes. */
const ROWS = 2_000
/** Rows that are counted at most, per table. */
const COUNTED = 100_000

/**
 * Deletes rows table by table, in the given order, until the time is over. A table is begun when the one before is empty, so rows
 * that others refer to go last. Idempotent; rows that other transactions have locked are left to the next call.
 *
 * @param values of `$1` and `$2`
 * @param budgetMs the time after which no further statement begins
 */
export async function eraseRows(
  query: Query,
  tables: readonly Erasable[],
  values: readonly [organizationId: string, projectIds: readonly string[]],
  budgetMs: number,
): Promise<Erased> {
  const end = performance.now() + budgetMs
  let erased = 0
  for (const erasable of tables) {
    const { table, where, limit = ROWS } = erasable
    const statement = deletionOf(erasable)
    for (let count = limit; count === limit;) {
      if (performance.now() > end) return { erased, remaining: await countRows(query, tables, values) }
      const [row] = await query(statement, values)
      count = countOf(row)
      erased += count
    }
    if ((await countRows(query, [{ table, where }], values, 1)) > 0) break
  }
  return { erased, remaining: await countRows(query, tables, values) }
}

/** Returns the statement that deletes one batch and counts it. */
export function deletionOf({ table, key = ['id'], where, limit = ROWS }: Erasable): string {
  const deleted = deleteBatch({ table, key, where: bothUsed(where), limit })
  return `WITH deleted AS (${deleted} RETURNING 1) SELECT count(*)::int AS count FROM deleted`
}

/** Counts rows, at most `most` of each table. */
export async function countRows(
  query: Query,
  tables: readonly Erasable[],
  values: readonly [string, readonly string[]],
  most = COUNTED,
): Promise<number> {
  let count = 0
  for (const { table, where } of tables) {
    const rows = `SELECT 1 FROM ${table} WHERE ${bothUsed(where)} LIMIT ${String(most)}`
    const [row] = await query(`SELECT count(*)::int AS count FROM (${rows}) AS counted`, values)
    count += countOf(row)
  }
  return count
}

/** Postgres has to know the types of both parameters. */
function bothUsed(where: string): string {
  return `(${where}) AND $1::uuid IS NOT NULL AND $2::uuid[] IS NOT NULL`
}

function countOf(row: unknown): number {
  return (row as { count: number }).count // of the statements above
}
