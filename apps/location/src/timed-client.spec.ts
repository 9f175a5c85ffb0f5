import { setTimeout as wait } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { databaseUnavailable } from '@bearing/service/unavailable'
import { startStack, type Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { timedClient, type TimeLimit } from './timed-client.js'

const LIMIT_MS = 200
/** More than any limit here, and less than a test may take. */
const SLEEP = 'SELECT pg_sleep(30)'

let stack: Stack
let pool: pg.Pool
beforeAll(async () => {
  stack = await startStack({ services: [], gateways: 0 })
  const url = stack.databaseUrls.location
  pool = new pg.Pool({ connectionString: url, max: 1, Client: timedClient(LIMIT_MS) })
  pool.on('error', () => undefined)
})
afterAll(async () => {
  await pool.end()
  await stack.stop()
})

const failure = (statement: Promise<unknown>) =>
  statement.then(
    () => undefined,
    (error: unknown) => error,
  )
const answer = async () => (await pool.query<{ answer: number }>('SELECT 42 AS answer')).rows

describe('a statement that takes too long', () => {
  it('is told as a database that cannot be reached, and the next one gets another connection', async () => {
    const error = await failure(pool.query(SLEEP))
    expect(String(error)).toBe('Error: Query read timeout')
    expect(databaseUnavailable(error)?.code).toBe('service_unavailable')
    expect(await answer()).toEqual([{ answer: 42 }])
  })

  it('ends as well where somebody holds the connection, as transactions do', async () => {
    const client = await pool.connect()
    client.on('error', () => undefined)
    expect(String(await failure(client.query(SLEEP)))).toBe('Error: Query read timeout')
    client.release(true)
    expect(await answer()).toEqual([{ answer: 42 }])
  })

  it('may say itself how long it may take', async () => {
    const longer: pg.QueryConfig & TimeLimit = {
      text: `SELECT pg_sleep(${String((2 * LIMIT_MS) / 1_000)})`,
      limitMs: 60_000,
    }
    expect((await pool.query(longer)).rowCount).toBe(1)
    const shorter: pg.QueryConfig & TimeLimit = { text: SLEEP, limitMs: 1 }
    expect(String(await failure(pool.query(shorter)))).toBe('Error: Query read timeout')
  })

  it('is left alone where it is a stream', async () => {
    const client = await pool.connect()
    const seconds = String((2 * LIMIT_MS) / 1_000)
    const copied = client.query(copyTo(`COPY (SELECT 1 FROM pg_sleep(${seconds})) TO STDOUT`))
    expect(await text(copied)).toBe('1\n')
    client.release()
  })
})

it('a connection stays when its statements end in time', async () => {
  const pid = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  const first = await pid()
  await wait(2 * LIMIT_MS)
  expect(await pid()).toBe(first)
})

it('a mistake in a statement is told as it is', async () => {
  expect(String(await failure(pool.query('SELECT nonsense')))).toContain('column "nonsense" does not exist')
})
