import type { Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { INSERT_PLACES } from './places.js'

/** Fills the base layer, and reads all of it once into the cache of Postgres. */
export async function storePlaces(stack: Stack, stored: number): Promise<void> {
  await restartWithMemory(stack)
  const client = new pg.Client(stack.adminDatabaseUrl)
  await client.connect()
  await client.query("SET work_mem = '1GB'")
  await client.query(INSERT_PLACES, [stored])
  await client.query('VACUUM ANALYZE location.access_points, location.learned_access_points')
  // Rows and index, each page by the way that look-ups take.
  await client.query('SELECT sum(lat) FROM location.access_points')
  await client.query('SET enable_seqscan = off')
  await client.query('SET enable_bitmapscan = off')
  await client.query('SET max_parallel_workers_per_gather = 0')
  await client.query('SELECT sum(lat) FROM location.access_points WHERE bssid > 0')
  await client.end()
}

/** As much as ten million access points or chunks need. */
export async function restartWithMemory(stack: Stack): Promise<void> {
  const client = new pg.Client(stack.adminDatabaseUrl)
  await client.connect()
  await client.query("ALTER SYSTEM SET shared_buffers = '3GB'")
  await client.query("ALTER SYSTEM SET max_wal_size = '8GB'")
  await client.end()
  await stack.part('postgres').stop()
  await stack.part('postgres').start()
}
