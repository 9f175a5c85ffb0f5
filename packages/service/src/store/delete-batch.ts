/** Some rows to delete. All of it is constants of the code, never input. */
export interface RowBatch {
  readonly table: string
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** Condition of the rows. */
  readonly where: string
  /** Most rows, as a number or a parameter such as `$5`. */
  readonly limit: number | string
  /** Order in which rows are chosen (default: any). */
  readonly orderBy?: string
}

/**
 * Returns a statement that deletes some rows by their primary key. Rows that other transactions have locked are left out, so any
 * number of processes may delete concurrently. A `RETURNING` may follow; the table is called `gone` there.
 */
export function deleteBatch({ table, key, where, limit, orderBy }: RowBatch): string {
  const order = orderBy === undefined ? '' : ` ORDER BY ${orderBy}`
  const from = `FROM ${table} WHERE ${where}${order} LIMIT ${String(limit)} FOR UPDATE SKIP LOCKED`
  const [first = '', ...more] = key
  if (more.length === 0)
    return `DELETE FROM ${table} AS gone WHERE ${first} = ANY (ARRAY(SELECT ${first} ${from}))`
  const columns = key.map((column, index) => `${column} AS key_${String(index)}`).join(', ')
  const same = key.map((column, index) => `${column} = key_${String(index)}`).join(' AND ')
  // The condition again: if the planner joins and does not look up key by key, it reads no other rows.
  return `WITH batch AS MATERIALIZED (SELECT ${columns} ${from}) DELETE FROM ${table} AS gone USING batch WHERE ${same} AND (${where})`
}
