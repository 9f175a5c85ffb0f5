import { readSharedStack } from '@bearing/testing/addresses'
import { copyDatabase, dropDatabase, type Database } from '@bearing/testing/databases'
import pg from 'pg'

/**
 * Plans of Postgres for statements on tables of any size. Postgres reads small tables as a whole, index or not: so that, and sorting,
 * count as a last resort. The tables are empty and its own, since plans depend on their content.
 */
export class Plans {
  private constructor(
    private readonly database: Database,
    private readonly client: pg.Client,
  ) {}

  static async open(): Promise<Plans> {
    const { adminDatabaseUrl, templateDatabase } = readSharedStack()
    const database = await copyDatabase(adminDatabaseUrl, templateDatabase)
    const client = new pg.Client(database.serviceUrls.identity)
    await client.connect()
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off')
    return new Plans(database, client)
  }

  /** @param statement may have parameters `$1`, `$2`, …, with the type said where Postgres cannot know it */
  async of(statement: string): Promise<string> {
    const { rows } = await this.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  async close(): Promise<void> {
    await this.client.end()
    await dropDatabase(readSharedStack().adminDatabaseUrl, this.database)
  }
}
