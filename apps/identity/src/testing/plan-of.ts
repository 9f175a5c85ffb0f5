import { testStack } from '@bearing/testing/stack'
import pg from 'pg'

/**
 * How Postgres would run a statement on tables of any size, on the shared stack. Of few rows all are read, index or not, and
 * how many there are depends on what other suites have made: so reading all of them, or sorting, counts
 * as a last resort.
 *
 * @param statement may have parameters `$1`, `$2`, …, with the type said where Postgres cannot know it
 */
export async function planOf(statement: string): Promise<string> {
  const client = new pg.Client(testStack().databaseUrls.identity)
  await client.connect()
  try {
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.end()
  }
}
