import { placesFrom, ROWS } from '../scale/places.js'
import { lookUpWhile } from './measure-look-ups.js'
import { say, seconds } from './say.js'
import type { Server } from './server.js'

/** Adds access points that are not there yet, in one transaction, in the order in which an import stores them. */
export async function importRows(server: Server, stored: number, count: number): Promise<void> {
  await server.use(async (client) => {
    const lsn = async () =>
      (await client.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn')).rows[0]?.lsn
    const before = await lsn()
    const began = performance.now()
    await client.query(
      `${ROWS} (${placesFrom(`${String(stored)}::bigint`, `${String(stored + count - 1)}::bigint`)}) AS places ORDER BY bssid`,
    )
    const took = seconds(began)
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1) AS bytes',
      [before],
    )
    say(
      `import of ${count.toLocaleString('en')} new rows with all indexes: ${took.toFixed(0)} s, ${(count / took).toFixed(0)} a second, ${(Number(rows[0]?.bytes) / 1e9).toFixed(2)} GB of log`,
    )
  })
}

/** Does what autovacuum does after an import. */
export async function vacuum(server: Server): Promise<void> {
  await server.use(async (client) => {
    const began = performance.now()
    await client.query('VACUUM (ANALYZE) access_points')
    say(`vacuumed and analyzed after the import: ${seconds(began).toFixed(0)} s`)
  })
}

/** Builds the primary key of one of the partitions again while look-ups continue. */
export async function reindexOnline(server: Server, statement: string, stored: number): Promise<void> {
  await server.use(async (client) => {
    const { rows } = await client.query<{ partitions: string; name: string }>(
      `SELECT count(*) OVER () AS partitions, indexrelid::regclass::text AS name
       FROM pg_partition_tree('access_points') JOIN pg_index ON indrelid = relid
       WHERE isleaf AND indisprimary ORDER BY 2`,
    )
    const [index] = rows
    if (!index) throw new Error('access_points has no partition')
    let isOver = false
    const meanwhile = lookUpWhile(server, statement, stored, () => isOver)
    const began = performance.now()
    await client.query(`REINDEX INDEX CONCURRENTLY ${index.name}`)
    isOver = true
    await meanwhile
    say(
      `primary key of one of ${index.partitions} partitions built again, without locking: ${seconds(began).toFixed(0)} s`,
    )
  })
}
