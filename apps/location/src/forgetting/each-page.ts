import type pg from 'pg'

/** Rows that are read and written at once: few enough that a look-up never waits for long. */
const PAGE = 500

/** Whether to leave off, to be gone on with by another process. */
export type Leave = () => boolean

/**
 * Changes rows page by page.
 *
 * @param client in a transaction
 * @param statement gives `key` and `bytes` of each
 * @returns whether it came to the end
 */
export async function eachPage(
  client: pg.ClientBase,
  statement: string,
  values: readonly unknown[],
  leave: Leave,
  change: (rows: readonly { readonly key: string; readonly bytes: Buffer }[]) => Promise<void>,
): Promise<boolean> {
  await client.query(`DECLARE page CURSOR FOR ${statement}`, [...values])
  for (;;) {
    const { rows } = await client.query<{ key: string; bytes: Buffer }>(`FETCH ${String(PAGE)} FROM page`)
    if (rows.length > 0) await change(rows)
    if (rows.length < PAGE) break
    if (leave()) return false
  }
  await client.query('CLOSE page')
  return true
}
