import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import type { Erased } from '@bearing/service/store/erase-rows'
import type pg from 'pg'
import type { Pools } from '../../ground/database.js'
import { readRows } from '../../ground/read-rows.js'
import { ACCESS_POINT } from '../../ground/stations/access-point.js'
import { keyColumns } from '../../ground/stations/key-sql.js'
import { RADIO_CELL } from '../../ground/stations/radio-cell.js'

/** Keys that one statement reads, in a fraction of a second. */
const KEYS = 50_000

/**
 * Tables without an index by organization: a row is found by its key, whatever the layer. An index for erasure alone would
 * take as much room as the table.
 */
const TABLES = [
  { name: ACCESS_POINT.tables.imported, station: ACCESS_POINT },
  { name: ACCESS_POINT.tables.learned, station: ACCESS_POINT },
  { name: RADIO_CELL.tables.imported, station: RADIO_CELL },
]
type Table = (typeof TABLES)[number]

/** A key of a station; undefined: before the first one, or after the last one. */
type Key = readonly number[] | undefined

/**
 * Erases the rows of an organization from the tables that have no index by organization. Each primary key is read once, in parts,
 * and the place is stored, so a restart continues there. Nobody writes to the layer any more: see the tombstone.
 *
 * @returns `remaining`: the access points that the layer has, or parts that were not read yet
 */
export async function scanTables(pools: Pools, organizationId: string, budgetMs: number): Promise<Erased> {
  const end = performance.now() + budgetMs
  const place = await readPlace(pools.main, organizationId)
  let erased = 0
  const done = [...place.scanned]
  for (const table of TABLES) {
    if (place.scanned.includes(table.name)) continue
    let from: Key = done.length === place.scanned.length ? place.scannedTo : undefined
    for (;;) {
      if (performance.now() > end) {
        await savePlace(pools.main, organizationId, done, from)
        return { erased, remaining: await countLeft(pools.main, organizationId) }
      }
      const to = await endOfPart(pools.commit, table, from)
      erased += await erasePart(pools.commit, table, organizationId, from, to)
      if (!to) break
      from = to
    }
    done.push(table.name)
    await savePlace(pools.main, organizationId, done, undefined)
  }
  // The records of other changes name nothing but the organization; other processes may not have read them.
  await pools.main.query(`DELETE FROM layer_changes WHERE organization_id = $1 AND bssids <> '{}'`, [
    organizationId,
  ])
  // Its sums last: they say how much is left.
  const { rowCount } = await pools.main.query('DELETE FROM layers WHERE organization_id = $1', [
    organizationId,
  ])
  return { erased: erased + (rowCount ?? 0), remaining: 0 }
}

/** Returns the last key of the part; undefined if it is the last part. */
async function endOfPart(pool: pg.Pool, { name, station }: Table, from: Key): Promise<Key> {
  const columns = keyColumns(station)
  const after = from ? `WHERE (${columns}) > (${parameters(from, 1)})` : ''
  const text = `SELECT ${columns} FROM ${name} ${after} ORDER BY ${columns} OFFSET ${String(KEYS)} LIMIT 1`
  const [last] = await readRows(pool, { text, columns: station.columns }, from)
  return last
}

async function erasePart(
  pool: pg.Pool,
  { name, station }: Table,
  organizationId: string,
  from: Key,
  to: Key,
): Promise<number> {
  const columns = keyColumns(station)
  const conditions = ['organization_id = $1']
  const values: (string | number)[] = [organizationId]
  for (const [key, comparison] of [[from, '>'] as const, [to, '<='] as const]) {
    if (!key) continue
    conditions.push(`(${columns}) ${comparison} (${parameters(key, values.length + 1)})`)
    values.push(...key)
  }
  const { rowCount } = await pool.query(`DELETE FROM ${name} WHERE ${conditions.join(' AND ')}`, values)
  const count = rowCount ?? 0
  // Only the sums of this layer, for the progress.
  if (count > 0 && name === ACCESS_POINT.tables.imported)
    await pool.query(
      `UPDATE layers SET access_points = greatest(0, access_points - $2) WHERE organization_id = $1`,
      [organizationId, count],
    )
  return count
}

function parameters(key: readonly number[], first: number): string {
  return key.map((_, index) => `$${String(first + index)}`).join(', ')
}

async function readPlace(pool: pg.Pool, organizationId: string) {
  const text =
    'SELECT scanned, scanned_to::text[] FROM erased_tenants WHERE organization_id = $1 AND project_id = $2'
  const columns = { scanned: 'text[] | null', scanned_to: 'text[] | null' } as const
  const [row] = await readRows(pool, { text, columns }, [organizationId, WHOLE_ORGANIZATION])
  return { scanned: row?.scanned ?? [], scannedTo: row?.scanned_to?.map(Number) }
}

async function savePlace(
  pool: pg.Pool,
  organizationId: string,
  scanned: readonly string[],
  to: Key,
): Promise<void> {
  await pool.query(
    `UPDATE erased_tenants SET scanned = $3, scanned_to = $4 WHERE organization_id = $1 AND project_id = $2`,
    [organizationId, WHOLE_ORGANIZATION, scanned, to ?? null],
  )
}

/** At least 1: there are parts that were not read yet. */
async function countLeft(pool: pg.Pool, organizationId: string): Promise<number> {
  const text = 'SELECT access_points FROM layers WHERE organization_id = $1'
  const [row] = await readRows(pool, { text, columns: { access_points: 'int8' } }, [organizationId])
  return Math.max(1, row?.access_points ?? 0)
}
