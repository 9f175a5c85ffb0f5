import pg from 'pg'

/**
 * Returns the columns of the primary key of a table, in their order.
 *
 * @param url of the database, as a role whose `search_path` has the table
 */
export async function primaryKeyOf(url: string, table: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT attname AS name FROM pg_index, unnest(indkey::int[]) WITH ORDINALITY AS part (number, place)
       JOIN pg_attribute ON attnum = part.number
       WHERE indrelid = to_regclass($1) AND indisprimary AND attrelid = indrelid ORDER BY place`,
      [table],
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
