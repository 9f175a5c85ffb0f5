import type pg from 'pg'
import { placesFrom, ROWS } from '../scale/places.js'
import { say, seconds } from './say.js'

const ROWS_A_STEP = 5_000_000
const PRIMARY_KEY = 'access_points_pkey'

/** How to build the primary key and the other indexes again. */
export interface Indexes {
  readonly primaryKey: string
  readonly others: readonly { readonly name: string; readonly definition: string }[]
}

/** Drops the indexes of access points: they are built last. */
export async function dropIndexes(client: pg.Client): Promise<Indexes> {
  const { rows: keys } = await client.query<{ definition: string }>(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1 AND conrelid = 'access_points'::regclass`,
    [PRIMARY_KEY],
  )
  const { rows: others } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
     FROM pg_index WHERE indrelid = 'access_points'::regclass AND NOT indisprimary`,
  )
  const primaryKey = keys[0]?.definition
  if (primaryKey === undefined) throw new Error('access_points has no primary key')
  await client.query(`ALTER TABLE access_points DROP CONSTRAINT ${PRIMARY_KEY}`)
  for (const { name } of others) await client.query(`DROP INDEX ${name}`)
  return { primaryKey, others }
}

/** Fills the base layer. A table that is emptied in the same transaction needs no log. */
export async function loadRows(client: pg.Client, count: number): Promise<void> {
  const began = performance.now()
  await client.query('BEGIN')
  await client.query('TRUNCATE access_points')
  for (let first = 0; first < count; first += ROWS_A_STEP) {
    const last = Math.min(first + ROWS_A_STEP, count) - 1
    await client.query(
      `${ROWS} (${placesFrom(`${String(first)}::bigint`, `${String(last)}::bigint`)}) AS places`,
    )
    const perSecond = (last + 1) / seconds(began)
    say(`${(last + 1).toLocaleString('en')} rows, ${perSecond.toFixed(0)} a second`)
  }
  await client.query('COMMIT')
  say(`loaded without indexes in ${seconds(began).toFixed(0)} s`)
}

/** Builds the indexes, and prepares the table for reads. */
export async function buildIndexes(client: pg.Client, { primaryKey, others }: Indexes): Promise<void> {
  const timed = async (what: string, statement: string) => {
    const began = performance.now()
    await client.query(statement)
    say(`${what} in ${seconds(began).toFixed(0)} s`)
  }
  const add = `ALTER TABLE access_points ADD CONSTRAINT ${PRIMARY_KEY} ${primaryKey}`
  await timed('primary key built', add)
  for (const { name, definition } of others) await timed(`${name} built`, definition)
  await timed('vacuumed and analyzed', 'VACUUM (ANALYZE) access_points')
  await client.query('CHECKPOINT')
}

/** Reports the sizes. */
export async function sizes(client: pg.Client, count: number): Promise<void> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT regexp_replace(relid::text, '_[0-9]+(_|$)', '\\1') AS name, sum(pg_relation_size(relid)) AS bytes
     FROM (SELECT relid FROM pg_partition_tree('access_points') WHERE isleaf
       UNION ALL SELECT indexrelid::regclass FROM pg_partition_tree('access_points') AS leaf
         JOIN pg_index ON indrelid = leaf.relid WHERE isleaf) AS relations
     GROUP BY 1 ORDER BY 2 DESC`,
  )
  for (const { name, bytes } of rows)
    say(`${name}: ${(Number(bytes) / 1e9).toFixed(2)} GB, ${(Number(bytes) / count).toFixed(0)} bytes a row`)
}
