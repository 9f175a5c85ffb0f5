import { describe, expect, it } from '@jest/globals'
import { event } from '@bearing/contracts/operation'
import { pino } from 'pino'
import { z } from 'zod'
import { Clock } from '../ground/clock.js'
import { OutboxRelay, type OutboxEvent, type Publish } from '../audit/outbox-relay.js'
import { systemRandomness } from '../ground/randomness.js'
import { afterCommit, beforeCommit, recordAudit, recordEvent, Transactions } from './transactions.js'

const changed = event({ subject: 'test.v1.thing.changed', data: z.object({ id: z.string(), n: z.number() }) })
const BY = { kind: 'service', name: 'test' } as const
const SILENT = pino({ level: 'silent' })

/** A database of one connection: statements of a transaction count from its COMMIT on. */
class FakeDatabase {
  readonly outbox = new Map<string, OutboxEvent>()
  readonly audit: string[] = []
  readonly statements: string[] = []
  failing: string | undefined
  private pending: (() => void)[] | undefined

  query(statement: string, [json]: unknown[]): Promise<void> {
    const [word = ''] = statement.trim().split(' ')
    this.statements.push(statement.includes('audit_log') ? 'audit' : word)
    if (word === this.failing) return Promise.reject(new Error(word))
    const values = typeof json === 'string' ? (JSON.parse(json) as unknown[]) : []
    if (word === 'BEGIN') this.pending = []
    else if (word === 'COMMIT') this.end(true)
    else if (word === 'ROLLBACK') this.end(false)
    else if (word === 'DELETE') for (const id of values as string[]) this.outbox.delete(id)
    else if (statement.includes('audit_log'))
      this.pending?.push(() =>
        this.audit.push(...(values as { action: string }[]).map(({ action }) => action)),
      )
    else
      this.pending?.push(() => {
        for (const each of values as OutboxEvent[]) this.outbox.set(each.id, each)
      })
    return Promise.resolve()
  }

  private end(commits: boolean): void {
    if (commits) for (const work of this.pending ?? []) work()
    this.pending = undefined
  }
}

function setUp(publish: (n: number) => Promise<void> = () => Promise.resolve()) {
  const database = new FakeDatabase()
  const published: number[] = []
  const publisher = {
    publish: async (_subject: string, _id: string, data: unknown) => {
      const { n } = data as { n: number }
      await publish(n)
      published.push(n)
    },
  }
  const transactions = new Transactions(new Clock(Date.now), systemRandomness(), publisher, SILENT)
  return { database, published, publisher, transactions }
}

const valuesOf = (database: FakeDatabase) =>
  [...database.outbox.values()].map(({ data }) => (data as { n: number }).n)

describe('a transaction', () => {
  it('stores events and audit entries at its end and publishes the events before it returns', async () => {
    const { database, published, transactions } = setUp()
    const result = await transactions.runOn(database, (transaction) => {
      recordEvent(transaction, changed, { n: 1 })
      recordAudit(transaction, BY, { action: 'thing.changed', target: ['thing', '1'] })
      recordEvent(transaction, changed, { n: 2 })
      return Promise.resolve('result')
    })
    expect(result).toBe('result')
    expect(database.statements).toEqual(['BEGIN', 'audit', 'INSERT', 'COMMIT', 'DELETE'])
    expect(database.audit).toEqual(['thing.changed'])
    expect(published).toEqual([1, 2])
    expect(database.outbox.size).toBe(0)
  })

  it('calls listeners before it publishes, and works for after the commit last', async () => {
    const steps: string[] = []
    const { database, transactions } = setUp((n) =>
      Promise.resolve(void steps.push(`published ${String(n)}`)),
    )
    transactions.onCommitted(changed, ({ n }) => steps.push(`listener ${String(n)}`))
    await transactions.runOn(database, (transaction) => {
      afterCommit(transaction, () => void steps.push('after'))
      recordEvent(transaction, changed, { n: 1 })
      beforeCommit(transaction, 'b', () => Promise.resolve(void steps.push('lock b')))
      beforeCommit(transaction, 'a', () => Promise.resolve(void steps.push('lock a')))
      return Promise.resolve()
    })
    expect(steps).toEqual(['lock a', 'lock b', 'listener 1', 'published 1', 'after'])
  })

  it.each(['INSERT', 'COMMIT', 'the caller'])('publishes nothing if %s fails', async (failing) => {
    const { database, published, transactions } = setUp()
    const steps: string[] = []
    transactions.onCommitted(changed, () => steps.push('listener'))
    database.failing = failing
    const run = transactions.runOn(database, (transaction) => {
      recordEvent(transaction, changed, { n: 1 })
      afterCommit(transaction, () => void steps.push('after'))
      return failing === 'the caller' ? Promise.reject(new Error(failing)) : Promise.resolve()
    })
    await expect(run).rejects.toThrow(failing)
    expect(published).toEqual([])
    expect(steps).toEqual([])
    expect(database.outbox.size).toBe(0)
  })

  it('refuses what is recorded where no transaction is open', async () => {
    const { database, transactions } = setUp()
    await transactions.runOn(database, () => Promise.resolve())
    expect(() => {
      recordEvent(database, changed, { n: 1 })
    }).toThrow('not begun')
  })

  it('leaves what it cannot publish or remove to the relay, and the caller does not see it', async () => {
    const { database, published, transactions } = setUp((n) =>
      n % 2 === 0 ? Promise.reject(new Error('no stream')) : Promise.resolve(),
    )
    await transactions.runOn(database, (transaction) => {
      for (let n = 1; n <= 5; n++) recordEvent(transaction, changed, { n })
      return Promise.resolve()
    })
    expect(published).toEqual([1, 3, 5])
    expect(valuesOf(database)).toEqual([2, 4])
  })

  it('events of a process that ends between commit and publishing are published by the relay of another', async () => {
    const { database, transactions } = setUp(() => new Promise(() => undefined))
    void transactions.runOn(database, (transaction) => {
      recordEvent(transaction, changed, { n: 1 })
      return Promise.resolve()
    })
    while (database.outbox.size === 0) await new Promise((resolve) => setImmediate(resolve))
    const { publisher, published } = setUp()
    const outbox = {
      drain: async (_: number, publish: Publish) => {
        const { ids } = await publish([...database.outbox.values()])
        await database.query('DELETE', [JSON.stringify(ids)])
        return { events: ids.length }
      },
    }
    const relay = new OutboxRelay(outbox, publisher, SILENT)
    relay.start()
    while (database.outbox.size > 0) await new Promise((resolve) => setImmediate(resolve))
    await relay.stop()
    expect(published).toEqual([1])
  })

  it('every event is published or stays in the outbox, whatever fails, for 300 random runs', async () => {
    for (let run = 0; run < 300; run++) {
      const chance = () => Math.random() < 0.2
      const { database, published, transactions } = setUp(() =>
        chance() ? Promise.reject(new Error('no stream')) : Promise.resolve(),
      )
      const failing = ['INSERT', 'COMMIT', 'DELETE', undefined, undefined, undefined] as const
      database.failing = failing[Math.floor(Math.random() * failing.length)]
      const count = Math.floor(Math.random() * 40)
      const committed = await transactions
        .runOn(database, (transaction) => {
          for (let n = 0; n < count; n++) recordEvent(transaction, changed, { n })
          return chance() ? Promise.reject(new Error('caller')) : Promise.resolve()
        })
        .then(
          () => true,
          () => false,
        )
      const all = Array.from({ length: committed ? count : 0 }, (_, n) => n)
      const found = [...new Set([...published, ...valuesOf(database)])].sort((a, b) => a - b)
      expect(found).toEqual(all)
    }
  })
})
