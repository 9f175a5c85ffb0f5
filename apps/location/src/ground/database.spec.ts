import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import { recordAudit, recordEvent, Transactions } from '@bearing/service/store/transactions'
import { databaseUnavailable } from '@bearing/service/ground/unavailable'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { Database, openPool } from './database.js'
import { ReadPool } from './read-pool.js'

const postgres = forSuite(() => TestDatabase.create())
const pool = forSuite(
  () => openPool(postgres.databaseUrls.location, 1),
  (it) => it.end(),
)
const database = forSuite(
  () => new Database(pool),
  (it) => it.$disconnect(),
)

/** Returns the error codes that callers receive if Postgres fails with a SQLSTATE, by each of the two clients. */
async function codesOf(sqlstate: string): Promise<(string | undefined)[]> {
  const statement = `DO $$ BEGIN RAISE EXCEPTION 'a failure' USING ERRCODE = '${sqlstate}'; END $$`
  const failures = [
    await pool.query(statement).then(String, (error: unknown) => error),
    await database.$executeRawUnsafe(statement).then(String, (error: unknown) => error),
  ]
  return failures.map((error) => databaseUnavailable(error)?.code)
}

describe('a failure of Postgres', () => {
  it.each([
    ['08006', 'connection_failure'],
    ['25006', 'read_only_sql_transaction, as of a standby'],
    ['25P03', 'idle_in_transaction_session_timeout'],
    ['28P01', 'invalid_password, while it is being changed'],
    ['3D000', 'invalid_catalog_name, while the database is restored'],
    ['40001', 'serialization_failure'],
    ['40003', 'statement_completion_unknown'],
    ['53100', 'disk_full'],
    ['53300', 'too_many_connections'],
    ['55000', 'object_not_in_prerequisite_state'],
    ['55006', 'object_in_use'],
    ['55P03', 'lock_not_available'],
    ['57014', 'query_canceled'],
    ['57P03', 'cannot_connect_now'],
    ['57P05', 'idle_session_timeout'],
    ['58030', 'io_error'],
  ])('that may pass is reported as unavailable: %s, %s', async (sqlstate) => {
    expect(await codesOf(sqlstate)).toEqual(['service_unavailable', 'service_unavailable'])
  })

  it.each([
    ['22003', 'numeric_value_out_of_range'],
    ['23514', 'check_violation'],
    ['42P01', 'undefined_table'],
    ['42501', 'insufficient_privilege'],
    ['54000', 'program_limit_exceeded'],
    ['P0001', 'raise_exception'],
    ['XX001', 'data_corrupted'],
  ])('that is our mistake is reported as internal: %s, %s', async (sqlstate) => {
    expect(await codesOf(sqlstate)).toEqual([undefined, undefined])
  })
})

it('a read that Postgres does not answer in time fails as service_unavailable, and the next one gets another connection', async () => {
  // Without the time limits of openPool: only that of the read itself can end it.
  const own = new pg.Pool({ connectionString: postgres.databaseUrls.location, max: 1 })
  own.on('error', () => undefined)
  const reads = new ReadPool(own)
  const pid = () => reads.rows({ text: 'SELECT pg_backend_pid() AS pid', columns: { pid: 'int4' } }, [])
  const before = await pid()
  const sleep = { text: 'SELECT pg_sleep(30)::text AS slept', columns: { slept: 'text' } } as const
  const error = await reads.rows(sleep, []).catch((failure: unknown) => failure)
  expect(String(error)).toBe('Error: Query read timeout')
  expect(databaseUnavailable(error)?.code).toBe('service_unavailable')
  expect(await pid()).not.toEqual(before)
  await own.end()
})

describe('a transaction', () => {
  const record = (transaction: object) => {
    recordEvent(transaction, accessPointsChanged, { organization_id: null })
    recordAudit(
      transaction,
      { kind: 'service', name: 'test' },
      {
        action: 'layer.relearned',
        target: ['layer', 'x'],
        details: { cells: 1 },
      },
    )
    return Promise.resolve()
  }
  const counts = async () => {
    const { rows } = await pool.query<{ events: number; audited: number }>(
      `SELECT (SELECT count(*)::integer FROM outbox WHERE data ? 'organization_id') AS events,
         (SELECT count(*)::integer FROM audit_log WHERE action = 'layer.relearned' AND details = '{"cells": 1}') AS audited`,
    )
    return rows[0]
  }

  it.each([
    ['of Prisma', (run: (transaction: object) => Promise<void>) => database.transaction(run)],
    [
      'on a connection of pg',
      async (run: (transaction: object) => Promise<void>) => {
        const client = await pool.connect()
        try {
          await Transactions.unpublished().runOn(client, run)
        } finally {
          client.release()
        }
      },
    ],
  ])('%s stores its events and audit entries if it is committed, and nothing if not', async (_, begin) => {
    const before = await counts()
    await expect(
      begin((transaction) => record(transaction).then(() => Promise.reject(new Error('no')))),
    ).rejects.toThrow('no')
    expect(await counts()).toEqual(before)
    await begin(record)
    expect(await counts()).toEqual({ events: (before?.events ?? 0) + 1, audited: (before?.audited ?? 0) + 1 })
  })
})
