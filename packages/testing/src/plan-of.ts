import { connectTo } from './connect-to.js'

/**
 * Returns how Postgres would run a statement on tables of any size. Of few rows all are read, index or not: so reading all of them
 * counts as a last resort.
 *
 * @param url of the database, as a role whose `search_path` has the tables
 * @param statement may have parameters `$1`, `$2`, …, with the type said where Postgres cannot know it
 */
export async function planOf(url: string, statement: string): Promise<string> {
  await using client = await connectTo(url)
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
