import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import type { Erased } from '@bearing/service/erase-rows'
import type pg from 'pg'
import type { Pools } from '../../ground/database.js'

/** Blocks of 8 KiB that one statement reads: about 70,000 access points, in a fraction of a second. */
const BLOCKS = 1_000

/**
 * Tables without an index by organization: a row is found by its address, whatever the layer. An index for erasure alone would
 * take as much room as the table.
 */
const TABLES = `
  SELECT c.relname AS name, pg_relation_size(c.oid)::float8 / 8192 AS blocks
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relnamespace = 'location'::regnamespace AND c.relkind = 'r'
    AND (c.relname = 'cells' OR i.inhparent IN ('access_points'::regclass, 'learned_access_points'::regclass))
  ORDER BY c.relname`

interface Table {
  readonly name: string
  readonly blocks: number
}

/**
 * Erases the rows of an organization from the tables that have no index by organization. Each table is read once, in parts, and the
 * place is stored, so a restart continues there. Nobody writes to the layer any more: see the tombstone.
 *
 * @returns `remaining`: the access points that the layer has, or parts that were not read yet
 */
export async function scanTables(pools: Pools, organizationId: string, budgetMs: number): Promise<Erased> {
  const end = performance.now() + budgetMs
  const { rows: tables } = await pools.main.query<Table>(TABLES)
  const { scanned, scannedBlocks } = await readPlace(pools.main, organizationId)
  let erased = 0
  const done = [...scanned]
  for (const { name, blocks } of tables) {
    if (scanned.includes(name)) continue
    let from = done.length === scanned.length ? scannedBlocks : 0
    for (; from < blocks; from += BLOCKS) {
      if (performance.now() > end) {
        await savePlace(pools.main, organizationId, done, from)
        return { erased, remaining: await countLeft(pools.main, organizationId) }
      }
      erased += await erasePart(pools.commit, name, organizationId, from)
    }
    done.push(name)
    await savePlace(pools.main, organizationId, done, 0)
  }
  // Its sums last: they say how much is left.
  const { rowCount } = await pools.main.query('DELETE FROM layers WHERE organization_id = $1', [
    organizationId,
  ])
  return { erased: erased + (rowCount ?? 0), remaining: 0 }
}

async function erasePart(
  pool: pg.Pool,
  table: string,
  organizationId: string,
  from: number,
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM ${table} WHERE ctid >= $2::text::tid AND ctid < $3::text::tid AND organization_id = $1`,
    [organizationId, `(${String(from)},0)`, `(${String(from + BLOCKS)},0)`],
  )
  const count = rowCount ?? 0
  // Only the sums of this layer, for the progress.
  if (count > 0 && table.startsWith('access_points'))
    await pool.query(
      `UPDATE layers SET access_points = greatest(0, access_points - $2) WHERE organization_id = $1`,
      [organizationId, count],
    )
  return count
}

async function readPlace(pool: pg.Pool, organizationId: string) {
  const { rows } = await pool.query<{ scanned: string[]; scannedBlocks: number | null }>(
    `SELECT scanned, scanned_blocks AS "scannedBlocks" FROM erased_tenants
     WHERE organization_id = $1 AND project_id = $2`,
    [organizationId, WHOLE_ORGANIZATION],
  )
  return { scanned: rows[0]?.scanned ?? [], scannedBlocks: rows[0]?.scannedBlocks ?? 0 }
}

async function savePlace(
  pool: pg.Pool,
  organizationId: string,
  scanned: readonly string[],
  blocks: number,
): Promise<void> {
  await pool.query(
    `UPDATE erased_tenants SET scanned = $3, scanned_blocks = $4 WHERE organization_id = $1 AND project_id = $2`,
    [organizationId, WHOLE_ORGANIZATION, scanned, blocks],
  )
}

/** At least 1: there are parts that were not read yet. */
async function countLeft(pool: pg.Pool, organizationId: string): Promise<number> {
  const { rows } = await pool.query<{ left: number }>(
    'SELECT access_points::float8 AS left FROM layers WHERE organization_id = $1',
    [organizationId],
  )
  return Math.max(1, rows[0]?.left ?? 0)
}
