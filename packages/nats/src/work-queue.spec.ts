import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream'
import { connectNats, type Connection } from './connection.js'
import { makeWorkConsumer } from './work-consumer.js'
import { WorkQueue } from './work-queue.js'

const STREAM = { name: 'WORK', subject: 'work', queue: true }
const WORKER = 'management'

describe('WorkQueue', () => {
  let directory: string
  let nats: Nats
  let connection: Connection

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-work-queue-'))
    const cache = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nats-server')
    nats = await startNats({ directory, users: [passwordUser('bearing', 'test')], cache })
    connection = await connectNats({ url: nats.url.replace('nats://', 'nats://bearing:test@'), name: WORKER })
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('acknowledges what is done while the rest of its batch fails, and brings only the rest again', async () => {
    const manager = await jetstreamManager(connection.raw)
    const { name } = STREAM
    await manager.streams.add({ name, subjects: ['work.>'], retention: RetentionPolicy.Workqueue })
    await makeWorkConsumer(manager, { worker: WORKER, stream: name })
    const client = jetstream(connection.raw)
    for (let sent = 0; sent < 6; sent++) await client.publish('work.one', String(sent))
    const left = async () => (await manager.streams.info(name)).state.messages
    const handed: number[][] = []
    let mayPass = false
    const queue = new WorkQueue(
      connection,
      STREAM,
      WORKER,
      (batch, _postpone, done) => {
        handed.push(batch.map(({ sequence }) => sequence))
        done(batch.filter(({ sequence }) => sequence !== 3))
        const fails = batch.some(({ sequence }) => sequence === 3) && !mayPass
        return fails ? Promise.reject(new Error('there is no room')) : Promise.resolve()
      },
      () => undefined,
    )
    queue.start()
    while ((await left()) > 1) await sleep(20)
    mayPass = true
    while ((await left()) > 0) await sleep(20)
    await queue.stop()
    const all = handed.flat()
    expect([1, 2, 4, 5, 6].map((sequence) => all.filter((one) => one === sequence).length)).toEqual([
      1, 1, 1, 1, 1,
    ])
    expect(all.filter((one) => one === 3).length).toBeGreaterThan(1)
  })
})
