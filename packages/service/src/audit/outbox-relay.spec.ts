import { describe, expect, it } from '@jest/globals'
import type { EventPublisher } from '@bearing/nats/event-publisher'
import { createLogger } from '../observe/logger.js'
import { OutboxRelay, publishAll, type Outbox, type OutboxEvent } from './outbox-relay.js'

function setUp(waiting: readonly OutboxEvent[], fails: (subject: string) => boolean) {
  const rows = new Map(waiting.map((event) => [event.id, event]))
  const published: string[] = []
  const remove = (ids: readonly string[]) => {
    for (const id of ids) rows.delete(id)
    return Promise.resolve()
  }
  const table: Outbox = {
    drain: async (limit, publish) => {
      const events = [...rows.values()].slice(0, limit)
      const { ids, failure } = await publish(events)
      await remove(ids)
      return { events: events.length, failure }
    },
  }
  const publisher: Pick<EventPublisher, 'publish'> = {
    publish: (subject, id) => {
      if (fails(subject)) return Promise.reject(new Error('no stream'))
      published.push(id)
      return Promise.resolve()
    },
  }
  const relay = new OutboxRelay(table, publisher, createLogger('test', 'silent'))
  const publish = (events: readonly OutboxEvent[]) =>
    publishAll(events, publisher, remove).catch(() => undefined)
  return { rows, published, publish, relay }
}

const event = (id: string, subject = 'good'): OutboxEvent => ({ id, subject, data: {} })

describe('outbox', () => {
  it('an event that cannot be published holds up no other', async () => {
    const events = [event('1', 'poison'), event('2'), event('3')]
    const { rows, published, publish } = setUp(events, (subject) => subject === 'poison')
    await publish(events)
    expect(published).toEqual(['2', '3'])
    expect([...rows.keys()]).toEqual(['1'])
  })

  it('many leave in their order, some of them before the first is stored, and never all together', async () => {
    const events = Array.from({ length: 70 }, (_, number) => event(String(number)))
    const left: string[] = []
    let stored = 0
    let most = 0
    const publisher: Pick<EventPublisher, 'publish'> = {
      publish: async (_, id) => {
        left.push(id)
        most = Math.max(most, left.length - stored)
        await new Promise((resolve) => setTimeout(resolve, 5))
        stored++
      },
    }
    const removed: string[] = []
    const remove = (ids: readonly string[]) => Promise.resolve(void removed.push(...ids))
    await publishAll(events, publisher, remove)
    expect(left).toEqual(events.map(({ id }) => id))
    expect(removed).toHaveLength(70)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThan(50)
  })

  it('an event that could not be published immediately is published later', async () => {
    let down = true
    const { rows, published, publish, relay } = setUp([event('1')], () => down)
    await publish([event('1')])
    expect(rows.size).toBe(1)
    down = false
    relay.start()
    while (rows.size > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    await relay.stop()
    expect(published).toEqual(['1'])
  })
})
