import type pg from 'pg'
import type { Pools } from '../ground/database.js'

/** Uses one pool for everything. */
export function testPools(pool: pg.Pool): Pools {
  return { main: pool, lookUp: pool, commit: pool, rebuild: pool, learning: pool, end: () => pool.end() }
}
