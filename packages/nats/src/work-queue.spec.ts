import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, type JsMsg } from '@nats-io/jetstream'
import { connectNats, type Connection } from './connection.js'
import { WorkQueue } from './work-queue.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nats-server')
const STREAM = { name: 'WORK', subject: 'work', queue: true }
const WORKER = 'management'
/** So many and so long that the server cuts what is gone out of its file while they are acknowledged. */
const MESSAGES = 4_000
const BODY = 'x'.repeat(2_000)
const isLeft = ({ seq }: JsMsg) => seq % 50 === 0

describe('WorkQueue', () => {
  let directory: string
  let nats: Nats
  let connection: Connection

  const start = (port?: number) =>
    startNats({
      directory,
      users: [passwordUser('bearing', 'test')],
      cache: CACHE,
      ...(port !== undefined && { port }),
    })

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-work-queue-'))
    nats = await start()
    const url = nats.url.replace('nats://', 'nats://bearing:test@')
    connection = await connectNats({ url, name: WORKER })
  }, 60_000)

  afterEach(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('gets through to what is behind messages that a killed server remembers as handed out, and that are gone', async () => {
    const manager = await jetstreamManager(connection.raw)
    const { name } = STREAM
    await manager.streams.add({ name, subjects: ['work.>'], retention: RetentionPolicy.Workqueue })
    await manager.consumers.add(name, {
      name: WORKER,
      durable_name: WORKER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: 1e9, // a second, in nanoseconds
      max_ack_pending: 10_000,
    })
    const client = jetstream(connection.raw)
    await Promise.all(Array.from({ length: MESSAGES }, () => client.publish('work.one', BODY)))
    const taken: JsMsg[] = []
    const consumer = await client.consumers.get(name, WORKER)
    for await (const message of await consumer.fetch({ max_messages: MESSAGES, expires: 10_000 }))
      taken.push(message)
    expect(taken).toHaveLength(MESSAGES)
    // What it notes of who has what it writes some time later, unlike what it stores.
    await sleep(500)
    for (const message of taken) if (!isLeft(message)) message.ack()
    await connection.raw.flush()
    await sleep(20)
    await nats.kill()
    nats = await start(nats.port)
    await sleep(1_500)

    const handled = new Set<number>()
    const queue = new WorkQueue(
      connection,
      STREAM,
      WORKER,
      (batch) => {
        for (const { sequence } of batch) handled.add(sequence)
        return Promise.resolve()
      },
      () => undefined,
    )
    queue.start()
    // Long enough for it to be asking when it is killed once more.
    await sleep(7_500)
    await nats.kill()
    nats = await start(nats.port)
    const left = taken.filter(isLeft).map(({ seq }) => seq)
    const deadline = Date.now() + 60_000
    while (Date.now() < deadline && !left.every((sequence) => handled.has(sequence))) await sleep(100)
    await queue.stop()
    expect(left.filter((sequence) => !handled.has(sequence))).toEqual([])
  }, 120_000)
})
