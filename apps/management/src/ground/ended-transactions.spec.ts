import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUnavailable } from '@bearing/service/ground/unavailable'
import { TestDatabase } from '@bearing/testing/test-database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { Database, type Transaction } from './database.js'

/** Time-out of a transaction, in milliseconds. */
const TIMEOUT_MS = 500

let postgres: TestDatabase
let database: Database
let other: pg.Client
beforeAll(async () => {
  postgres = await TestDatabase.create()
  database = new Database(postgres.databaseUrls.management, 1)
  other = new pg.Client({
    connectionString: postgres.databaseUrls.management,
    options: '-c search_path=management',
  })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await database.$disconnect()
  await postgres.drop()
})

/** Returns the error code that callers receive for a failure; undefined for `internal`. */
const codeOf = (error: unknown) => databaseUnavailable(error)?.code

async function newObject(): Promise<string> {
  const id = v7()
  await database.storedObject.create({
    data: { id, projectId: v7(), storage: 's3', size: 1, createdAt: new Date() },
  })
  return id
}

const fileOf = (objectId: string) => ({
  id: v7(),
  organizationId: v7(),
  projectId: v7(),
  kind: 'coredump',
  objectId,
  attributes: {},
  meaning: objectId,
  createdAt: new Date(),
})

describe('a transaction that expires within a call of several statements', () => {
  it.each<[string, (transaction: Transaction, objectId: string) => Promise<unknown>]>([
    [
      'to create and read',
      async (transaction, objectId) => {
        const { object } = await transaction.storedFile.create({
          data: fileOf(objectId),
          select: { object: { select: { size: true } } },
        })
        return object.size
      },
    ],
    [
      'to change and create',
      (transaction, objectId) => {
        const { objectId: _, ...file } = fileOf(objectId)
        return transaction.storedObject.update({
          where: { id: objectId },
          data: { size: 2, files: { create: file } },
        })
      },
    ],
  ])('is reported as unavailable, and leaves nothing behind: %s', async (_, work) => {
    const objectId = await newObject()
    await other.query('BEGIN')
    // The first statement waits for this lock.
    await other.query('SELECT 1 FROM stored_objects WHERE id = $1 FOR UPDATE', [objectId])
    let unlocked: Promise<unknown> | undefined
    const failure = await database
      .transaction(
        (transaction) => {
          // The time of the transaction is over before: timers of one process end in their order.
          unlocked = sleep(2 * TIMEOUT_MS).then(() => other.query('COMMIT'))
          return work(transaction, objectId)
        },
        { timeout: TIMEOUT_MS },
      )
      .catch((error: unknown) => error)
    await unlocked
    expect(codeOf(failure)).toBe('service_unavailable')
    // By the same connection, so after everything that it was sent.
    expect(await database.storedFile.count({ where: { objectId } })).toBe(0)
    expect(await database.storedObject.findUnique({ where: { id: objectId } })).toMatchObject({ size: 1n })
  })
})

describe('is reported as unavailable:', () => {
  it('a statement of a transaction that is over', async () => {
    const ended = await database.transaction((transaction) => Promise.resolve(transaction))
    const error = await ended.storedFile.count().catch((failure: unknown) => failure)
    expect(codeOf(error)).toBe('service_unavailable')
  })

  it('a transaction whose connection is closed', async () => {
    const error = await database
      .transaction(async (transaction) => {
        const [row] = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
        await other.query('SELECT pg_terminate_backend($1)', [row?.pid])
        await transaction.storedFile.count()
      })
      .catch((failure: unknown) => failure)
    expect(codeOf(error)).toBe('service_unavailable')
  })

  it('a statement, or a transaction, that no connection is free for', async () => {
    const errors = await database.transaction(
      () =>
        Promise.all([
          database.storedFile.count().catch((failure: unknown) => failure),
          database.transaction((inner) => inner.storedFile.count()).catch((failure: unknown) => failure),
        ]),
      { timeout: 60_000 },
    )
    expect(errors.map(codeOf)).toEqual(['service_unavailable', 'service_unavailable'])
  })

  it('a statement of a client that is closed', async () => {
    const closed = new Database(postgres.databaseUrls.management, 1)
    await closed.storedFile.count()
    await closed.pool.end()
    expect(codeOf(await closed.storedFile.count().catch((failure: unknown) => failure))).toBe(
      'service_unavailable',
    )
  })
})
