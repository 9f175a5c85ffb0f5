import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { event } from '@bearing/contracts/operation'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { connectNats, type Connection } from './connection.js'
import { onEvent, broadcastEvent } from './streams/events.js'
import { ResilientSubscription } from './resilient-subscription.js'

const changed = event({ subject: 'test.v1.changed', data: z.object({ number: z.int() }) })
const OTHER = 'test.v1.other'

let directory: string
let nats: Nats
let listening: Connection
let publishing: Connection

/** One user that may do everything, and one that may subscribe to these subjects. */
function usersWith(...subjects: string[]): string[] {
  const allowed = ['_INBOX.listener.>', ...subjects].map((subject) => JSON.stringify(subject)).join(', ')
  return [
    passwordUser('publisher', 'test'),
    `{ user: "listener", password: "test", permissions: { publish: [">"], subscribe: [${allowed}] } }`,
  ]
}

async function start(port?: number): Promise<Nats> {
  const cache = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nats-server')
  const users = usersWith(changed.subject, OTHER)
  return await startNats({ directory, cache, users, ...(port !== undefined && { port }) })
}

/** Has the server read a new list of users, as an operator does who changes its configuration. */
async function reload(...subjects: string[]): Promise<void> {
  const file = join(directory, 'nats.conf')
  const text = await readFile(file, 'utf8')
  // Nothing but the users: NATS does not reload a configuration in which its storage differs.
  const users = `authorization { timeout: 20, users: [${usersWith(...subjects).join('\n')}] }`
  await writeFile(
    file,
    text.replace(/^authorization \{.*?\] \}$/ms, () => users),
    { mode: 0o600 },
  )
  process.kill(nats.pid, 'SIGHUP')
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error('it did not come')
    await sleep(20)
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-nats-'))
  nats = await start()
  listening = await connectNats({ url: `nats://listener:test@127.0.0.1:${nats.port}`, name: 'listener' })
  publishing = await connectNats({ url: `nats://publisher:test@127.0.0.1:${nats.port}`, name: 'publisher' })
})

afterAll(async () => {
  await listening.drain()
  await publishing.drain()
  await nats.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('what NATS has refused once', () => {
  it('is received again when the list of users is put right, with word that something may have been missed', async () => {
    const received: number[] = []
    const refusals: unknown[] = []
    let missed = 0
    onEvent(
      listening,
      changed,
      ({ number }) => received.push(number),
      (error) => refusals.push(error),
      () => missed++,
    )
    await listening.raw.flush()
    let number = 0
    const isReceived = async () => {
      broadcastEvent(publishing, changed, { number: ++number })
      await publishing.raw.flush()
      await sleep(50)
      return received.includes(number)
    }
    expect(await isReceived()).toBe(true)
    // Twice: what has come back once comes back again.
    for (const time of [1, 2]) {
      await reload(OTHER)
      await until(() => refusals.length === time)
      expect(await isReceived()).toBe(false)
      await reload(changed.subject, OTHER)
      await until(isReceived)
      expect(missed).toBe(time)
    }
    // Each time it was reported once, however often it was tried.
    expect(refusals).toHaveLength(2)
    expect(received).toEqual([...new Set(received)])
  })

  it('is retried immediately when the connection comes back, and not after it was ended', async () => {
    const events: string[] = []
    const subscribe = (name: string) =>
      new ResilientSubscription(listening, OTHER, {
        queue: name,
        received: () => events.push(`${name} received`),
        refused: () => events.push(`${name} refused`),
        restored: () => events.push(`${name} restored`),
      })
    const [kept, ended] = [subscribe('kept'), subscribe('ended')]
    await listening.raw.flush()
    await reload(changed.subject)
    await until(() => events.length === 2)
    await ended.drain()
    // By now it is tried seldom.
    await sleep(4_000)
    expect([...events].sort()).toEqual(['ended refused', 'kept refused'])
    const back = new Promise<void>((resolve) => listening.reconnected(resolve))
    await nats.kill()
    nats = await start(nats.port)
    await back
    // NATS answers in order: what was tried when the connection came back has been answered before this.
    await listening.raw.flush()
    expect(events[2]).toBe('kept restored')
    await until(() => publishing.isUp)
    await publishing.raw.flush()
    publishing.raw.publish(OTHER)
    await until(() => events.length === 4)
    expect(events.slice(2)).toEqual(['kept restored', 'kept received'])
    await kept.drain()
  })
})
