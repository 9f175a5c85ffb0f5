import { postgresSettings } from '@bearing/service/store/postgres-settings'
import { eventually } from '@bearing/testing/eventually'
import { Door } from '@bearing/testing/hosts/door'
import { TestDatabase } from '@bearing/testing/test-database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'

const SIZE = 5
/** Longest time that a statement may take, in milliseconds. */
const STATEMENT_MS = 2_000

describe('a pool whose Postgres vanishes without a word, while another one takes over its address', () => {
  let server: TestDatabase
  let door: Door
  let pool: pg.Pool

  beforeAll(async () => {
    server = await TestDatabase.create()
    const url = new URL(server.databaseUrls.identity)
    door = await Door.open('127.0.0.1', { host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${String(door.port)}`
    // The pool itself closes none that is idle.
    const settings = { ...postgresSettings(url.href, 'identity', SIZE, STATEMENT_MS), idleTimeoutMillis: 0 }
    pool = new pg.Pool(settings).on('error', () => undefined)
  })

  afterAll(async () => {
    await pool.end()
    await door.close()
    await server.drop()
  })

  it('closes every connection to the one that is gone: those that were idle, and one that a transaction gave back', async () => {
    const clients = await Promise.all(Array.from({ length: SIZE }, () => pool.connect()))
    const [inTransaction, ...idle] = clients
    for (const client of idle) {
      await client.query('SELECT 1')
      client.release()
    }
    await inTransaction?.query('BEGIN')
    door.silence()
    await expect(inTransaction?.query('SELECT 1')).rejects.toThrow()
    // As Prisma does.
    inTransaction?.release()
    await eventually(() => expect(pool.totalCount).toBe(0), { withinMs: 60_000 })
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('keeps a connection that was idle for long, and one whose statements take long', async () => {
    const [busy, idle] = [await pool.connect(), await pool.connect()]
    const backendOf = async (client: pg.PoolClient) =>
      (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
    const before = await backendOf(idle)
    idle.release()
    try {
      const busyBefore = await backendOf(busy)
      for (let elapsedMs = 0; elapsedMs < 2 * STATEMENT_MS; elapsedMs += STATEMENT_MS / 4)
        await busy.query('SELECT pg_sleep($1)', [STATEMENT_MS / 4_000])
      await expect(busy.query('SELECT pg_sleep(60)')).rejects.toThrow()
      expect(await backendOf(busy)).toBe(busyBefore)
      const taken = await pool.connect()
      expect(await backendOf(taken)).toBe(before)
      taken.release()
    } finally {
      busy.release()
    }
  })
})
