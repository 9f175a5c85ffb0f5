import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@bearing/service/observe/logger'
import { Clock } from '@bearing/service/ground/clock'
import { Transactions } from '@bearing/service/store/transactions'
import { eventually } from '@bearing/testing/eventually'
import { TestDatabase } from '@bearing/testing/test-database'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { testPools } from '../testing/test-pools.js'
import { CommitWorker } from './commit-worker.js'
import { ImportBackoff } from './import-backoff.js'

const SILENT = createLogger('test', 'silent')

describe('an import that cannot be committed', () => {
  it('is retried after a second, then after twice as long each time, up to a minute; no other import waits', () => {
    let nowMs = 0
    const backoff = new ImportBackoff(() => new Date(nowMs))
    const seconds: number[] = []
    for (let failure = 0; failure < 8; failure++) {
      backoff.failed('one')
      const failedAtMs = nowMs
      while (backoff.waiting().includes('one')) nowMs += 1_000
      seconds.push((nowMs - failedAtMs) / 1_000)
    }
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    backoff.failed('other')
    expect(backoff.waiting()).toEqual(['other'])
  })

  it('is left alone until then, and others are committed meanwhile', async () => {
    await using postgres = await TestDatabase.create()
    const database = new pg.Client(postgres.databaseUrls.location)
    await database.connect()
    const submitted = async () => {
      const [layer, id] = [v7(), v7()]
      await database.query('INSERT INTO layers VALUES ($1, 0, 0, now())', [layer])
      await database.query(
        `INSERT INTO imports (id, organization_id, content, digest, state, created_at)
         VALUES ($1, $2, 'positions', repeat('0', 64), 'committing', now())`,
        [id, layer],
      )
      return { layer, id }
    }
    const stateOf = async ({ id }: { id: string }) => {
      const { rows } = await database.query<{ state: string }>('SELECT state FROM imports WHERE id = $1', [
        id,
      ])
      return rows[0]?.state
    }
    const isCommitted = (one: { id: string }) =>
      eventually(async () => expect(await stateOf(one)).toBe('committed'), { withinMs: 60_000 })
    const held = await submitted()
    const holder = new pg.Client(postgres.databaseUrls.location)
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM layers WHERE organization_id = $1 FOR UPDATE', [held.layer])

    let nowMs = Date.now()
    const failures: unknown[] = []
    const pool = new pg.Pool({
      connectionString: postgres.databaseUrls.location,
      // So that it fails as it does where Postgres has no room: it may be better the next time.
      options: '-c search_path=location -c lock_timeout=50',
    })
    const logger = { ...SILENT, info: () => undefined, warn: (error: unknown) => failures.push(error) }
    const worker = new CommitWorker(
      testPools(pool),
      Transactions.unpublished(),
      new Clock(() => nowMs),
      { LOCATION_COMMIT_ACCESS_POINTS: 4 },
      logger,
    )
    worker.start()
    await eventually(() => expect(failures).toHaveLength(1), { withinMs: 60_000 })
    await holder.end()
    // It looks every second for what there is to commit; by the clock that it rests by no time goes by.
    await sleep(2_500)
    expect(await stateOf(held)).toBe('committing')
    await isCommitted(await submitted())
    expect(await stateOf(held)).toBe('committing')
    nowMs += 1_000
    await isCommitted(held)
    await worker.stop()
    await pool.end()
    await database.end()
  })
})
