import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@bearing/service/observe/logger'
import { OutboxRelay, outboxTable, type Outbox } from '@bearing/service/audit/outbox-relay'
import { systemRandomness } from '@bearing/service/ground/randomness'
import { eventually } from '@bearing/testing/eventually'
import { TestDatabase } from '@bearing/testing/test-database'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Database } from './database.js'

const SILENT = createLogger('test', 'silent')
const { newId } = systemRandomness()
const EVENTS = 1_000

let server: TestDatabase
let databases: readonly [Database, Database, Database]

beforeAll(async () => {
  server = await TestDatabase.create()
  const open = () => new Database(server.databaseUrls.identity, 3)
  databases = [open(), open(), open()]
})

afterAll(async () => {
  for (const database of databases) await database.$disconnect()
  await server.drop()
})

async function fill(): Promise<string[]> {
  const ids = Array.from({ length: EVENTS }, () => newId())
  await databases[0].outboxEvent.createMany({
    data: ids.map((id) => ({ id, subject: 'test.v1.changed', data: {}, createdAt: new Date() })),
  })
  return ids.sort()
}

/** An outbox that notes what it handed out and could not remove: a transaction that took too long on a busy machine. */
function noting(outbox: Outbox, notRemoved: string[]): Outbox {
  return {
    drain: async (limit, publish) => {
      const handedOut: string[] = []
      try {
        return await outbox.drain(limit, (events) => {
          handedOut.push(...events.map(({ id }) => id))
          return publish(events)
        })
      } catch (error) {
        notRemoved.push(...handedOut)
        throw error
      }
    },
  }
}

it('of several processes one drains the outbox at a time: in order, and every event once if its removal is committed', async () => {
  const ids = await fill()
  const published: string[] = []
  const notRemoved: string[] = []
  const publisher = {
    publish: async (_: string, id: string) => {
      await sleep(1)
      published.push(id)
    },
  }
  const relays = databases.map(
    (database) => new OutboxRelay(noting(outboxTable(database), notRemoved), publisher, SILENT),
  )
  for (const relay of relays) relay.start()
  await eventually(async () => expect(await databases[0].outboxEvent.count()).toBe(0))
  for (const relay of relays) await relay.stop()
  expect([...new Set(published)]).toEqual(ids)
  const repeated = published.filter((id, index) => published.indexOf(id) !== index)
  expect(notRemoved).toEqual(expect.arrayContaining(repeated))
})

it('what a process has published and not removed when it ends is published again, and nothing is lost', async () => {
  const ids = await fill()
  const published = new Map<string, number>()
  const publisher = {
    publish: (_: string, id: string) => {
      published.set(id, (published.get(id) ?? 0) + 1)
      return Promise.resolve()
    },
  }
  const dying = outboxTable(databases[0])
  await expect(
    dying.drain(100, async (events) => {
      for (const { id } of events) await publisher.publish('', id)
      throw new Error('the process ends here')
    }),
  ).rejects.toThrow('the process ends here')
  expect(published.size).toBe(100)
  const relay = new OutboxRelay(outboxTable(databases[1]), publisher, SILENT)
  relay.start()
  await eventually(async () => expect(await databases[1].outboxEvent.count()).toBe(0))
  await relay.stop()
  expect([...published.keys()].sort()).toEqual(ids)
  expect([...published.values()].filter((times) => times > 1)).toHaveLength(100)
})

it('while one process publishes, another finds the outbox taken, and neither waits', async () => {
  await fill()
  const [one, other] = [outboxTable(databases[0]), outboxTable(databases[1])]
  const outcome = await one.drain(10, async () => {
    expect(await other.drain(10, () => Promise.resolve({ ids: [] }))).toBeUndefined()
    return { ids: [] }
  })
  expect(outcome).toEqual({ events: 10, failure: undefined })
})
